/** The part of WebAssembly used here, which the types of Node lack. */
declare namespace WebAssembly {
  class Module {
    constructor(bytes: Uint8Array)
  }
  class Instance {
    readonly exports: Readonly<Record<string, unknown>>
    constructor(module: Module)
  }
  function validate(bytes: Uint8Array): boolean
  function instantiate(bytes: Uint8Array): Promise<{ readonly instance: Instance }>
}
