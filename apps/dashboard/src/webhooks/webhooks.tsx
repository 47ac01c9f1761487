import { useState } from 'react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { useMay } from '../shell/me.ts'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { DebugSignature } from './debug-signature.tsx'
import { Deliveries } from './deliveries.tsx'
import { Secret } from './secret.tsx'
import { SendTestEvent } from './send-test-event.tsx'

export function Webhooks() {
  const { tab = 'deliveries' } = useSearch({ from: '/$environment/webhooks' })
  const navigate = useNavigate()
  const sends = useMay('send_webhooks')
  const [testing, setTesting] = useState(false)
  const test = sends && (
    <Button icon={<Send className="size-4" aria-hidden />} onClick={() => setTesting(true)}>
      Send test event
    </Button>
  )
  return (
    <Page
      title="Webhooks"
      lead="A signed message to your own address when a verification completes or fails. Tried six times over nearly eight hours."
      actions={test}
    >
      <Tabs
        label="Webhooks"
        value={tab}
        onChange={(next) => void navigate({ to: '.', search: { tab: next as typeof tab }, replace: true })}
        tabs={[
          { value: 'deliveries', title: 'Deliveries', content: <Deliveries test={test} /> },
          { value: 'secret', title: 'Signing secret', content: <Secret /> },
          { value: 'debugger', title: 'Signature debugger', content: <DebugSignature /> },
        ]}
      />
      <SendTestEvent open={testing} onClose={() => setTesting(false)} />
    </Page>
  )
}
