import { useState } from 'react'
import { Plus } from 'lucide-react'
import type { TenantTrust, TrustAnchor } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useFormats, useTexts } from '../texts/texts-context.ts'
import { Button } from '../ui/button.tsx'
import { ChangeDialog } from '../ui/change-dialog.tsx'
import { FormDialog } from '../ui/dialog.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { ChoiceGroup, TextArea, TextField, ChoiceField, SelectField } from '../ui/field.tsx'
import { Card, Fact, Facts } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'
import { AnchorSubject } from './anchor-subject.tsx'

/** The name of the algorithm, which is the same in every language. */
const fingerprintName = 'SHA-256'

type TenantAnchor = TenantTrust['anchors'][number]
type AnchorRole = TenantAnchor['role']

/** The roles that can be chosen. Who signs trust lists is set by the operator, list by list. */
const choosableRoles = ['issuing', 'revocation', 'registration'] as const satisfies readonly AnchorRole[]

type TrustAnchorsProps = { trust: TenantTrust; canManage: boolean }

/** The anchors that this tenant trusts in addition to the service's, or instead of them (TRUST-1). */
export function TrustAnchors({ trust, canManage }: TrustAnchorsProps) {
  const text = useTexts().settings.anchors
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<TenantAnchor>()
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
      <div className="grid gap-5">
        <TrustPolicyField policy={trust.policy} canManage={canManage} />
        {trust.anchors.length === 0 ? (
          <p className="text-sm text-soft">{trust.policy === 'own' ? text.none_own : text.none}</p>
        ) : (
          <AnchorTable anchors={trust.anchors} {...(canManage && { onRemove: setRemoving })} />
        )}
      </div>
      {adding && <AddAnchors onClose={() => setAdding(false)} />}
      {removing !== undefined && <RemoveAnchor anchor={removing} onClose={() => setRemoving(undefined)} />}
    </Card>
  )
}

function TrustPolicyField({ policy, canManage }: { policy: TenantTrust['policy']; canManage: boolean }) {
  const text = useTexts().settings.anchors
  /** The choice just made, until the service confirms it. */
  const [chosen, setChosen] = useState<TenantTrust['policy']>()
  const selected = chosen ?? policy
  const change = useOperationMutation('changeTrustPolicy', ['getSettings'])
  const showToast = useToast()
  const choose = (newPolicy: TenantTrust['policy']) => {
    setChosen(newPolicy)
    change.mutate(
      { json: { policy: newPolicy } },
      {
        onSuccess: () => showToast(newPolicy === 'own' ? text.policy_own_saved : text.policy_all_saved),
        onSettled: () => setChosen(undefined),
      },
    )
  }
  return (
    <fieldset disabled={!canManage} className="grid gap-2">
      <ChoiceGroup legend={text.policy}>
        <ChoiceField
          kind="radio"
          name="trust_policy"
          label={text.policy_all}
          hint={text.policy_all_hint}
          checked={selected === 'all'}
          onChange={() => choose('all')}
        />
        <ChoiceField
          kind="radio"
          name="trust_policy"
          label={text.policy_own}
          hint={text.policy_own_hint}
          checked={selected === 'own'}
          onChange={() => choose('own')}
        />
      </ChoiceGroup>
      {change.error !== null && <ErrorMessage error={change.error} inline />}
    </fieldset>
  )
}

function AnchorTable({
  anchors,
  onRemove,
}: {
  anchors: readonly TenantAnchor[]
  onRemove?: (anchor: TenantAnchor) => void
}) {
  const { settings, common } = useTexts()
  const text = settings.anchors
  return (
    <Table
      caption={text.title}
      rows={anchors}
      rowKey={({ environment, fingerprint, role }) => `${environment} ${fingerprint} ${role}`}
      columns={[
        {
          title: text.authority,
          rowHeader: true,
          cell: (anchor) => <AnchorSubject anchor={anchor} />,
        },
        {
          title: text.role,
          cell: ({ role }) => <span className="sm:whitespace-nowrap">{text.roles[role].name}</span>,
        },
        {
          title: settings.environment,
          cell: ({ environment }) => common.environments[environment],
        },
        { title: settings.expires, cell: ({ expires_at }) => <Time at={expires_at} form="day" /> },
        ...(onRemove === undefined
          ? []
          : [
              {
                title: '',
                end: true as const,
                cell: (anchor: TenantAnchor) => (
                  <Button
                    onClick={() => onRemove(anchor)}
                    aria-label={fillIn(text.remove_label, { subject: anchor.subject })}
                  >
                    {text.remove}
                  </Button>
                ),
              },
            ]),
      ]}
    />
  )
}

/** Two steps: the certificates are shown for review before they are trusted. */
function AddAnchors({ onClose }: { onClose: () => void }) {
  const text = useTexts().settings.anchors
  const formats = useFormats()
  const environment = useEnvironment()
  const [pem, setPem] = useState('')
  const [role, setRole] = useState<AnchorRole>('issuing')
  const [entity, setEntity] = useState('')
  const [parsedAnchors, setParsedAnchors] = useState<readonly TrustAnchor[]>()
  const read = useOperationMutation('readAnchors')
  const add = useOperationMutation('addAnchors', ['getSettings'])
  const showToast = useToast()
  const json = { pem, role, ...(entity.trim() !== '' && { entity: entity.trim() }) }
  const input = { params: { environment }, json }
  return (
    <FormDialog
      open
      persistent
      wide
      onClose={onClose}
      title={text.add_titles[environment]}
      description={text.add_description}
      submit={parsedAnchors === undefined ? text.review : text.trust}
      busy={read.isPending || add.isPending}
      disabled={pem.trim() === ''}
      error={parsedAnchors === undefined ? read.error : add.error}
      onSubmit={() => {
        if (parsedAnchors === undefined) {
          read.mutate(input, { onSuccess: ({ data }) => setParsedAnchors(data) })
          return
        }
        add.mutate(input, {
          onSuccess: () => {
            showToast(formats.count(text.added, parsedAnchors.length))
            onClose()
          },
        })
      }}
    >
      <TextArea
        label={text.certificates}
        rows={8}
        value={pem}
        onChange={({ target }) => {
          setPem(target.value)
          setParsedAnchors(undefined)
        }}
      />
      <SelectField
        label={text.role}
        hint={text.roles[role].hint}
        value={role}
        onChange={({ target }) => setRole(choosableRoles.find((each) => each === target.value) ?? 'issuing')}
      >
        {choosableRoles.map((each) => (
          <option key={each} value={each}>
            {text.roles[each].name}
          </option>
        ))}
      </SelectField>
      <TextField
        label={text.entity}
        hint={text.entity_hint}
        maxLength={200}
        value={entity}
        onChange={({ target }) => setEntity(target.value)}
      />
      {parsedAnchors?.map((anchor) => (
        <AnchorFacts key={anchor.fingerprint} anchor={anchor} />
      ))}
    </FormDialog>
  )
}

function RemoveAnchor({ anchor, onClose }: { anchor: TenantAnchor; onClose: () => void }) {
  const text = useTexts().settings.anchors
  const { environment, fingerprint, role } = anchor
  return (
    <ChangeDialog
      op="removeAnchor"
      input={{ params: { environment, fingerprint }, query: { role } }}
      invalidates={['getSettings']}
      successMessage={text.removed}
      title={text.remove_titles[environment]}
      description={text.remove_description}
      submit={text.remove_submit}
      variant="danger"
      onClose={onClose}
    >
      <AnchorFacts anchor={anchor} />
    </ChangeDialog>
  )
}

function AnchorFacts({ anchor: { subject, expires_at, fingerprint } }: { anchor: TrustAnchor }) {
  const text = useTexts().settings
  return (
    <Facts>
      <Fact name={text.subject}>{subject}</Fact>
      <Fact name={text.expires}>
        <Time at={expires_at} form="day" />
      </Fact>
      <Fact name={fingerprintName}>
        <code className="break-all">{fingerprint}</code>
      </Fact>
    </Facts>
  )
}
