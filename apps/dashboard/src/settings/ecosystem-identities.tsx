import { useState } from 'react'
import { Plus } from 'lucide-react'
import type { EcosystemIdentity, EcosystemName } from '@vidimus/contract'
import { ecosystems } from '@vidimus/contract/ecosystems'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { ChangeDialog } from '../ui/change-dialog.tsx'
import { SelectField, TextArea } from '../ui/field.tsx'
import { Card } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'

type EcosystemIdentitiesProps = { identities: readonly EcosystemIdentity[]; canManage: boolean }

/** The certificates for wallets that do not trust the access certificate: Apple's, Google's and others. */
export function EcosystemIdentities({ identities, canManage }: EcosystemIdentitiesProps) {
  const { settings, common } = useTexts()
  const text = settings.identities
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<EcosystemIdentity>()
  return (
    <Card
      title={text.title}
      description={text.description}
      actions={
        canManage && (
          <Button icon={<Plus className="size-4" aria-hidden />} onClick={() => setAdding(true)}>
            {text.add}
          </Button>
        )
      }
    >
      {identities.length === 0 ? (
        <p className="text-sm text-soft">{text.none}</p>
      ) : (
        <Table
          caption={text.title}
          rows={identities}
          rowKey={({ ecosystem, environment }) => `${ecosystem} ${environment}`}
          columns={[
            {
              title: text.wallets,
              rowHeader: true,
              cell: ({ ecosystem, own }) => (
                <span className="grid gap-0.5">
                  <span>{text.ecosystems[ecosystem]}</span>
                  {!own && <span className="text-xs text-soft">{text.of_operator}</span>}
                </span>
              ),
            },
            { title: settings.environment, cell: ({ environment }) => common.environments[environment] },
            { title: settings.expires, cell: ({ expires_at }) => <Time at={expires_at} form="day" /> },
            { title: text.findings, cell: ({ findings }) => <Findings findings={findings} /> },
            ...(canManage
              ? [
                  {
                    title: '',
                    end: true as const,
                    cell: (identity: EcosystemIdentity) =>
                      identity.own && (
                        <Button
                          onClick={() => setRemoving(identity)}
                          aria-label={fillIn(text.remove_label, {
                            wallets: text.ecosystems[identity.ecosystem],
                          })}
                        >
                          {text.remove}
                        </Button>
                      ),
                  },
                ]
              : []),
          ]}
        />
      )}
      {adding && <AddIdentity onClose={() => setAdding(false)} />}
      {removing !== undefined && (
        <RemoveIdentity identity={removing} onClose={() => setRemoving(undefined)} />
      )}
    </Card>
  )
}

/** What published rules say against a certificate. */
export function Findings({ findings }: Pick<EcosystemIdentity, 'findings'>) {
  const text = useTexts().settings.identities
  if (findings.length === 0) return <span className="text-soft">{text.no_findings}</span>
  return (
    <ul className="grid gap-1 text-sm">
      {findings.map(({ severity, message }) => (
        <li key={message}>
          <Badge tone={severity === 'refused' ? 'bad' : 'wait'}>{text.severities[severity]}</Badge>{' '}
          <span lang="en">{message}</span>
        </li>
      ))}
    </ul>
  )
}

function AddIdentity({ onClose }: { onClose: () => void }) {
  const { settings } = useTexts()
  const text = settings.identities
  const environment = useEnvironment()
  const [ecosystem, setEcosystem] = useState<EcosystemName>('apple')
  const [chain, setChain] = useState('')
  const [key, setKey] = useState('')
  const [metadata, setMetadata] = useState('')
  const needsMetadata = ecosystem === 'google'
  return (
    <ChangeDialog
      op="changeEcosystemIdentity"
      input={{
        params: { environment, ecosystem },
        json: {
          certificate: { chain, key },
          ...(needsMetadata && { rp_metadata: metadata.trim() }),
        },
      }}
      invalidates={['getSettings']}
      successMessage={text.saved}
      title={text.add_title}
      description={text.add_description}
      submit={text.add_submit}
      disabled={[chain, key, ...(needsMetadata ? [metadata] : [])].some((each) => each.trim() === '')}
      persistent
      wide
      onClose={onClose}
    >
      <SelectField
        label={text.wallets}
        value={ecosystem}
        onChange={({ target }) => setEcosystem(ecosystems.find((each) => each === target.value) ?? ecosystem)}
      >
        {ecosystems.map((each) => (
          <option key={each} value={each}>
            {text.ecosystems[each]}
          </option>
        ))}
      </SelectField>
      <TextArea
        label={settings.certificate.chain}
        rows={6}
        value={chain}
        onChange={({ target }) => setChain(target.value)}
      />
      <TextArea
        label={settings.certificate.private_key}
        rows={5}
        value={key}
        onChange={({ target }) => setKey(target.value)}
      />
      {needsMetadata && (
        <TextArea
          label={text.metadata}
          rows={3}
          value={metadata}
          onChange={({ target }) => setMetadata(target.value)}
        />
      )}
    </ChangeDialog>
  )
}

function RemoveIdentity({ identity, onClose }: { identity: EcosystemIdentity; onClose: () => void }) {
  const text = useTexts().settings.identities
  const { environment, ecosystem } = identity
  return (
    <ChangeDialog
      op="changeEcosystemIdentity"
      input={{ params: { environment, ecosystem }, json: { certificate: null } }}
      invalidates={['getSettings']}
      successMessage={text.removed}
      title={text.remove_title}
      description={fillIn(text.remove_description, { wallets: text.ecosystems[ecosystem] })}
      submit={text.remove_submit}
      variant="danger"
      onClose={onClose}
    />
  )
}
