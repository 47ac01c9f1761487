import { useState } from 'react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { usePermission } from '../shell/shell-context.ts'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { SignatureDebugger } from './signature-debugger.tsx'
import { Deliveries } from './deliveries.tsx'
import { SigningSecret } from './signing-secret.tsx'
import { SendTestEvent } from './send-test-event.tsx'

export function Webhooks() {
  const { tab = 'deliveries' } = useSearch({ from: '/shell/$environment/webhooks' })
  const navigate = useNavigate()
  const canSend = usePermission('send_webhooks')
  const [testing, setTesting] = useState(false)
  const testButton = canSend && (
    <Button icon={<Send className="size-4" aria-hidden />} onClick={() => setTesting(true)}>
      Send test event
    </Button>
  )
  return (
    <Page
      title="Webhooks"
      description="Signed messages to your server when a verification completes or fails."
      actions={testButton}
    >
      <Tabs
        label="Webhooks"
        value={tab}
        onChange={(next) => void navigate({ to: '.', search: { tab: next as typeof tab }, replace: true })}
        tabs={[
          { value: 'deliveries', title: 'Deliveries', content: <Deliveries testButton={testButton} /> },
          { value: 'secret', title: 'Signing secret', content: <SigningSecret /> },
          { value: 'debugger', title: 'Signature debugger', content: <SignatureDebugger /> },
        ]}
      />
      <SendTestEvent open={testing} onClose={() => setTesting(false)} />
    </Page>
  )
}
