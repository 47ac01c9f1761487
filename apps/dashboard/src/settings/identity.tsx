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

/** The certificate that signs requests, and the registrar's attestation about the merchant. */
export function Identity({ certificate, verifierInfo, canManage }: IdentityProps) {
  const [openDialog, setOpenDialog] = useState<'certificate' | 'info' | 'reset'>()
  const close = () => setOpenDialog(undefined)
  return (
    <>
      <Card
        title="Access certificate"
        description="Identifies you to wallets. Sessions created with an earlier certificate keep it until they end."
        actions={
          canManage && (
            <span className="flex flex-wrap gap-2">
              {certificate.own && <Button onClick={() => setOpenDialog('reset')}>Use the service’s…</Button>}
              <Button onClick={() => setOpenDialog('certificate')}>
                {certificate.own ? 'Replace…' : 'Use your own…'}
              </Button>
            </span>
          )
        }
      >
        <Facts>
          <Fact name="Owner">
            {certificate.own ? 'You' : 'The service'}{' '}
            {certificate.self_made && <Badge tone="wait">Self-issued: real wallets refuse it</Badge>}
          </Fact>
          <Fact name="Subject">{certificate.subject}</Fact>
          <Fact name="Issuer">{certificate.issuer}</Fact>
          <Fact name="Valid">
            <Time at={certificate.valid_from} form="day" /> to <Time at={certificate.expires_at} form="day" />
          </Fact>
          <Fact name="Client ID">
            <code className="break-all">{certificate.client_id}</code>
          </Fact>
          <Fact name="SHA-256">
            <code className="break-all">{certificate.fingerprint}</code>
          </Fact>
        </Facts>
      </Card>
      <Card
        title="Verifier information"
        description="A registrar’s attestation about you and your purposes. Sent in every request as verifier_info."
        actions={canManage && <Button onClick={() => setOpenDialog('info')}>Change…</Button>}
      >
        {verifierInfo === undefined ? (
          <p className="text-sm text-soft">Not set.</p>
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
      successMessage="New requests are signed with your certificate."
      title="Use your own certificate"
      description="In PEM format. The private key is encrypted on arrival and never shown again."
      submit="Use this certificate"
      disabled={chain.trim() === '' || key.trim() === ''}
      persistent
      wide
      onClose={onClose}
    >
      <TextArea
        label="Certificate chain, leaf first"
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
      successMessage="New requests are signed with the service’s certificate."
      title="Use the service’s certificate?"
      description="New requests are signed with the service’s certificate. Sessions created with yours keep it until they end."
      submit="Use the service’s certificate"
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
      successMessage="Verifier information saved."
      title="Verifier information"
      description="The JSON array from your registrar. Leave empty to remove."
      submit="Save"
      persistent
      wide
      onClose={onClose}
    >
      <TextArea label="JSON" rows={10} value={info} onChange={({ target }) => setInfo(target.value)} />
    </ChangeDialog>
  )
}
