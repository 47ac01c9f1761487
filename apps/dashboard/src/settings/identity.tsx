import { useState } from 'react'
import type { AccessCertificate } from '@vidimus/contract'
import { Sentence } from '../texts/sentence.tsx'
import { useTexts } from '../texts/texts-context.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ChangeDialog } from '../ui/change-dialog.tsx'
import { TextArea } from '../ui/field.tsx'
import { Card, Fact, Facts } from '../ui/page.tsx'
import { Time } from '../ui/time.tsx'
import { Findings } from './ecosystem-identities.tsx'

/** The name of the algorithm, which is the same in every language. */
const fingerprintName = 'SHA-256'

type IdentityProps = { certificate: AccessCertificate; canManage: boolean }

/** The certificate that signs requests. */
export function Identity({ certificate, canManage }: IdentityProps) {
  const { settings } = useTexts()
  const text = settings.certificate
  const [openDialog, setOpenDialog] = useState<'certificate' | 'reset'>()
  const close = () => setOpenDialog(undefined)
  return (
    <>
      <Card
        title={text.title}
        description={text.description}
        actions={
          canManage && (
            <span className="flex flex-wrap gap-2">
              {certificate.own && <Button onClick={() => setOpenDialog('reset')}>{text.use_service}</Button>}
              <Button onClick={() => setOpenDialog('certificate')}>
                {certificate.own ? text.replace : text.use_own}
              </Button>
            </span>
          )
        }
      >
        <Facts>
          <Fact name={text.owner}>
            {certificate.own ? text.you : text.service}{' '}
            {certificate.self_made && <Badge tone="wait">{text.self_made}</Badge>}
          </Fact>
          <Fact name={settings.subject}>{certificate.subject}</Fact>
          <Fact name={text.issuer}>{certificate.issuer}</Fact>
          <Fact name={text.valid}>
            <Sentence
              text={text.valid_range}
              values={{
                from: <Time at={certificate.valid_from} form="day" />,
                until: <Time at={certificate.expires_at} form="day" />,
              }}
            />
          </Fact>
          <Fact name={text.client_id}>
            <code className="break-all">{certificate.client_id}</code>
          </Fact>
          <Fact name={fingerprintName}>
            <code className="break-all">{certificate.fingerprint}</code>
          </Fact>
          {!certificate.self_made && (
            <Fact name={settings.identities.findings}>
              <Findings findings={certificate.findings} />
            </Fact>
          )}
        </Facts>
      </Card>
      {openDialog === 'certificate' && <ReplaceCertificate onClose={close} />}
      {openDialog === 'reset' && <ResetCertificate onClose={close} />}
    </>
  )
}

function ReplaceCertificate({ onClose }: { onClose: () => void }) {
  const text = useTexts().settings.certificate
  const [chain, setChain] = useState('')
  const [key, setKey] = useState('')
  return (
    <ChangeDialog
      op="changeIdentity"
      input={{ json: { certificate: { chain, key } } }}
      invalidates={['getSettings']}
      successMessage={text.own_saved}
      title={text.own_title}
      description={text.own_description}
      submit={text.own_submit}
      disabled={chain.trim() === '' || key.trim() === ''}
      persistent
      wide
      onClose={onClose}
    >
      <TextArea label={text.chain} rows={6} value={chain} onChange={({ target }) => setChain(target.value)} />
      <TextArea
        label={text.private_key}
        rows={5}
        value={key}
        onChange={({ target }) => setKey(target.value)}
      />
    </ChangeDialog>
  )
}

function ResetCertificate({ onClose }: { onClose: () => void }) {
  const text = useTexts().settings.certificate
  return (
    <ChangeDialog
      op="changeIdentity"
      input={{ json: { certificate: null } }}
      invalidates={['getSettings']}
      successMessage={text.reset_saved}
      title={text.reset_title}
      description={text.reset_description}
      submit={text.reset_submit}
      variant="danger"
      onClose={onClose}
    />
  )
}
