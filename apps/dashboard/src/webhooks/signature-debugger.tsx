import { useState, type FormEvent } from 'react'
import { CircleCheck, CircleX } from 'lucide-react'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { TextArea, TextField } from '../ui/field.tsx'
import { Card } from '../ui/page.tsx'
import { checkSignature, type Verdict } from './check-signature.ts'

/** The name of the header, which is the same in every language. */
const signatureHeader = 'X-Service-Signature'

/** The check that a receiver makes, with the reason for a failure. */
export function SignatureDebugger() {
  const text = useTexts().webhooks.debugger
  const [header, setHeader] = useState('')
  const [body, setBody] = useState('')
  const [secret, setSecret] = useState('')
  const [verdict, setVerdict] = useState<Verdict>()
  const isComplete = header.trim() !== '' && secret.trim() !== ''
  const check = (event: FormEvent) => {
    event.preventDefault()
    if (!isComplete) {
      setVerdict({ valid: false, message: text.incomplete })
      return
    }
    const now_seconds = Math.floor(Date.now() / 1000)
    void checkSignature({ header, body, secret, now_seconds }, text).then(setVerdict)
  }
  return (
    <Card title={text.title} description={text.description}>
      <form onSubmit={check} className="grid gap-5" noValidate>
        <TextField
          label={signatureHeader}
          className="font-mono text-sm"
          placeholder="t=…,v1=…"
          spellCheck={false}
          value={header}
          onChange={({ target }) => setHeader(target.value)}
        />
        <TextArea
          label={text.body}
          hint={text.body_hint}
          rows={6}
          value={body}
          onChange={({ target }) => setBody(target.value)}
        />
        <TextField
          label={text.secret}
          className="font-mono text-sm"
          placeholder="whsec_…"
          spellCheck={false}
          value={secret}
          onChange={({ target }) => setSecret(target.value)}
        />
        <div>
          <Button type="submit" variant="primary">
            {text.submit}
          </Button>
        </div>
        <div role="status" className="empty:hidden">
          {verdict !== undefined && <VerdictNotice {...verdict} />}
        </div>
      </form>
    </Card>
  )
}

function VerdictNotice({ valid, message, advice }: Verdict) {
  const Icon = valid ? CircleCheck : CircleX
  return (
    <div
      className={`flex gap-3 rounded-md px-4 py-3 text-sm ${valid ? 'bg-good-tint text-good' : 'bg-bad-tint text-bad'}`}
    >
      <Icon className="mt-0.5 size-4 shrink-0" aria-hidden />
      <div>
        <p className="font-medium">{message}</p>
        {advice !== undefined && <p className="mt-1 text-ink">{advice}</p>}
      </div>
    </div>
  )
}
