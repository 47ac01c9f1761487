import { useState } from 'react'
import type { AccessCertificate } from '@vidimus/contract'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ChangeDialog } from '../ui/change-dialog.tsx'
import { TextArea } from '../ui/field.tsx'
import { Card, Fact, Facts } from '../ui/page.tsx'
import { CodeBlock } from '../ui/copyable.tsx'
import { Time } from '../ui/time.tsx'

type IdentityProps = { certificate: AccessCertificate; verifierInfo: string | undefined; canManage: boolean }

/** With what requests are signed, and what a registrar attested of who asks. */
export function Identity({ certificate, verifierInfo, canManage }: IdentityProps) {
  const [openDialog, setOpenDialog] = useState<'certificate' | 'info' | 'reset'>()
  const close = () => setOpenDialog(undefined)
  return (
    <>
      <Card
        title="Access certificate"
        description="Wallets know you by it. Sessions that were created with an earlier one are served until they end."
        actions={
          canManage && (
            <span className="flex flex-wrap gap-2">
              {certificate.own && (
                <Button onClick={() => setOpenDialog('reset')}>Use the service’s own…</Button>
              )}
              <Button onClick={() => setOpenDialog('certificate')}>
                {certificate.own ? 'Replace…' : 'Use your own…'}
              </Button>
            </span>
          )
        }
      >
        <Facts>
          <Fact name="Whose">
            {certificate.own ? 'Your own' : 'The service’s'}{' '}
            {certificate.self_made && <Badge tone="wait">self-made: wallets in the field refuse it</Badge>}
          </Fact>
          <Fact name="Subject">{certificate.subject}</Fact>
          <Fact name="Issuer">{certificate.issuer}</Fact>
          <Fact name="Valid">
            <Time at={certificate.valid_from} form="day" /> to <Time at={certificate.expires_at} form="day" />
          </Fact>
          <Fact name="Client id">
            <code className="break-all">{certificate.client_id}</code>
          </Fact>
          <Fact name="SHA-256">
            <code className="break-all">{certificate.fingerprint}</code>
          </Fact>
        </Facts>
      </Card>
      <Card
        title="Verifier information"
        description="What a registrar attested of you and your purposes; it goes into every request as verifier_info."
        actions={canManage && <Button onClick={() => setOpenDialog('info')}>Change…</Button>}
      >
        {verifierInfo === undefined ? (
          <p className="text-sm text-soft">None is set.</p>
        ) : (
          <CodeBlock text={verifierInfo} label="Copy verifier information" />
        )}
      </Card>
      {openDialog === 'certificate' && <ReplaceCertificate onClose={close} />}
      {openDialog === 'reset' && <ResetCertificate onClose={close} />}
      {openDialog === 'info' && <ChangeVerifierInfo before={verifierInfo ?? ''} onClose={close} />}
    </>
  )
}

function ReplaceCertificate({ onClose }: { onClose: () => void }) {
  const [chain, setChain] = useState('')
  const [key, setKey] = useState('')
  return (
    <ChangeDialog
      op="changeIdentity"
      input={{ json: { certificate: { chain, key } } }}
      invalidates={['getSettings']}
      successMessage="Requests are signed with your certificate from now on."
      title="Use your own certificate"
      description="As PEM. The key is sealed as soon as it arrives and never shown again."
      submit="Use this certificate"
      disabled={chain.trim() === '' || key.trim() === ''}
      persistent
      wide
      onClose={onClose}
    >
      <TextArea
        label="Chain, leaf first"
        rows={6}
        value={chain}
        onChange={({ target }) => setChain(target.value)}
      />
      <TextArea label="Private key" rows={5} value={key} onChange={({ target }) => setKey(target.value)} />
    </ChangeDialog>
  )
}

function ResetCertificate({ onClose }: { onClose: () => void }) {
  return (
    <ChangeDialog
      op="changeIdentity"
      input={{ json: { certificate: null } }}
      invalidates={['getSettings']}
      successMessage="Requests are signed with the service’s certificate from now on."
      title="Use the service’s certificate again?"
      description="New requests are signed with the service’s own. Your key serves the sessions that were created with it, until they end."
      submit="Use the service’s own"
      variant="danger"
      onClose={onClose}
    />
  )
}

function ChangeVerifierInfo({ before, onClose }: { before: string; onClose: () => void }) {
  const [info, setInfo] = useState(before)
  return (
    <ChangeDialog
      op="changeIdentity"
      input={{ json: { verifier_info: info.trim() === '' ? null : info } }}
      invalidates={['getSettings']}
      successMessage="The verifier information is saved."
      title="Verifier information"
      description="The JSON array that your registrar gave you. Empty takes it away."
      submit="Save"
      persistent
      wide
      onClose={onClose}
    >
      <TextArea label="JSON" rows={10} value={info} onChange={({ target }) => setInfo(target.value)} />
    </ChangeDialog>
  )
}
