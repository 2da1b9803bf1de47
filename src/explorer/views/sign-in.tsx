import { useEffect, useState } from 'preact/hooks'
import { toRefusal } from '../state/refusal.js'
import { checkSecret } from '../state/session.js'

interface SignInProps {
  /** Why the reader has to sign in again. */
  readonly why?: string | undefined
  enter(secret: string): void
}

export function SignIn({ why, enter }: SignInProps) {
  const [message, setMessage] = useState(why)
  const [isAsking, setAsking] = useState(false)
  useEffect(() => {
    document.title = 'Sign in · Loregraph'
  }, [])
  const submit = async (secret: string) => {
    setAsking(true)
    setMessage(undefined)
    try {
      await checkSecret(secret)
      enter(secret)
    } catch (reason) {
      const refusal = toRefusal(reason)
      setMessage(
        refusal.status === 401
          ? 'This secret opens nothing here. Check that it was copied whole.'
          : refusal.message,
      )
      setAsking(false)
    }
  }
  return (
    <main class="sign-in" id="main">
      <h1>Loregraph</h1>
      <p class="lead">What your agents know, and why it is believed.</p>
      <form
        class="card"
        onSubmit={(event) => {
          event.preventDefault()
          const secret = new FormData(event.currentTarget).get('secret')
          if (typeof secret === 'string' && secret.trim() !== '') void submit(secret.trim())
        }}
      >
        <label for="secret">Secret</label>
        <input
          id="secret"
          name="secret"
          type="password"
          autocomplete="off"
          spellcheck={false}
          required
          aria-invalid={message !== undefined}
          aria-describedby="secret-message"
        />
        <p id="secret-message" class="error" role="alert">
          {message}
        </p>
        <button type="submit" class="primary" disabled={isAsking}>
          {isAsking ? 'Asking …' : 'Sign in'}
        </button>
        <p class="small muted">
          The service printed it at its first start. It is kept in this tab until you close it, and sent to
          nobody else.
        </p>
      </form>
      <p class="small">
        <a href="/docs">Read the documentation</a>
      </p>
    </main>
  )
}
