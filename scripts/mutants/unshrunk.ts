import fc from 'fast-check'

// That a bug is seen is all that is asked: nobody reads the shortest input that shows it.
fc.configureGlobal({ ...fc.readConfigureGlobal(), endOnFailure: true })
