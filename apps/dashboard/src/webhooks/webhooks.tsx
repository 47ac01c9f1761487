import { useState } from 'react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { Send } from 'lucide-react'
import { usePermission } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { Page } from '../ui/page.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { SignatureDebugger } from './signature-debugger.tsx'
import { Deliveries } from './deliveries.tsx'
import { Endpoints } from './endpoints.tsx'
import { SigningSecret } from './signing-secret.tsx'
import { SendTestEvent } from './send-test-event.tsx'

export function Webhooks() {
  const { webhooks: text, webhook_endpoints: endpointTexts } = useTexts()
  const { tab = 'deliveries' } = useSearch({ from: '/shell/$environment/webhooks' })
  const navigate = useNavigate()
  const canSend = usePermission('send_webhooks')
  const [testing, setTesting] = useState(false)
  const testButton = canSend && (
    <Button icon={<Send className="size-4" aria-hidden />} onClick={() => setTesting(true)}>
      {text.test_event.title}
    </Button>
  )
  return (
    <Page title={text.title} description={text.description} actions={testButton}>
      <Tabs
        label={text.title}
        value={tab}
        onChange={(next) => void navigate({ to: '.', search: { tab: next }, replace: true })}
        tabs={[
          {
            value: 'deliveries',
            title: text.tabs.deliveries,
            content: <Deliveries testButton={testButton} />,
          },
          { value: 'endpoints', title: endpointTexts.tab, content: <Endpoints /> },
          { value: 'secret', title: text.tabs.secret, content: <SigningSecret /> },
          { value: 'debugger', title: text.tabs.debugger, content: <SignatureDebugger /> },
        ]}
      />
      <SendTestEvent open={testing} onClose={() => setTesting(false)} />
    </Page>
  )
}
