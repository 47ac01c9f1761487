import { useState } from 'react'
import { Plus } from 'lucide-react'
import type { TenantTrust, TrustAnchor } from '@vidimus/contract'
import { useOperationMutation } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { Button } from '../ui/button.tsx'
import { ChangeDialog } from '../ui/change-dialog.tsx'
import { FormDialog } from '../ui/dialog.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { ChoiceGroup, TextArea, ChoiceField } from '../ui/field.tsx'
import { Card, Fact, Facts } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'

type TenantAnchor = TenantTrust['anchors'][number]
type TrustAnchorsProps = { trust: TenantTrust; canManage: boolean }

/** The anchors that this tenant trusts in addition to the service's, or instead of them (TRUST-1). */
export function TrustAnchors({ trust, canManage }: TrustAnchorsProps) {
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<TenantAnchor>()
  return (
    <Card
      title="Trust anchors"
      description="Authorities that you trust in addition, such as a partner’s or a pilot’s. They apply only to your verifications, in one environment."
      actions={
        canManage && (
          <Button icon={<Plus className="size-4" aria-hidden />} onClick={() => setAdding(true)}>
            Add anchor…
          </Button>
        )
      }
    >
      <div className="grid gap-5">
        <TrustPolicyField policy={trust.policy} canManage={canManage} />
        {trust.anchors.length === 0 ? (
          <p className="text-sm text-soft">
            {trust.policy === 'own'
              ? 'You have no anchors, so no issuer is trusted in live. The sandbox issuer is still trusted in test.'
              : 'You have no anchors. Issuers that the service trusts are accepted.'}
          </p>
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
        onSuccess: () =>
          showToast(
            newPolicy === 'own'
              ? 'Only your anchors are trusted now.'
              : 'The service’s anchors and yours are trusted now.',
          ),
        onSettled: () => setChosen(undefined),
      },
    )
  }
  return (
    <fieldset disabled={!canManage} className="grid gap-2">
      <ChoiceGroup legend="Trusted issuers">
        <ChoiceField
          kind="radio"
          name="trust_policy"
          label="The service’s anchors and mine"
          hint="Issuers that the service trusts, and those under your anchors."
          checked={selected === 'all'}
          onChange={() => choose('all')}
        />
        <ChoiceField
          kind="radio"
          name="trust_policy"
          label="Only my anchors"
          hint="Credentials from any other issuer fail, even if a trust list names it."
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
  return (
    <Table
      caption="Trust anchors"
      rows={anchors}
      rowKey={({ environment, fingerprint }) => `${environment} ${fingerprint}`}
      columns={[
        {
          title: 'Authority',
          rowHeader: true,
          cell: ({ subject, fingerprint, document_types }) => (
            <span className="grid gap-0.5">
              <span>{subject}</span>
              <code className="text-xs break-all text-soft">{fingerprint}</code>
              {document_types !== undefined && (
                <span className="text-xs text-soft">Only for {document_types.join(', ')}</span>
              )}
            </span>
          ),
        },
        {
          title: 'Environment',
          cell: ({ environment }) => <span className="capitalize">{environment}</span>,
        },
        { title: 'Expires', cell: ({ expires_at }) => <Time at={expires_at} form="day" /> },
        ...(onRemove === undefined
          ? []
          : [
              {
                title: '',
                end: true as const,
                cell: (anchor: TenantAnchor) => (
                  <Button onClick={() => onRemove(anchor)} aria-label={`Remove ${anchor.subject}`}>
                    Remove
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
  const environment = useEnvironment()
  const [pem, setPem] = useState('')
  const [parsedAnchors, setParsedAnchors] = useState<readonly TrustAnchor[]>()
  const read = useOperationMutation('readAnchors')
  const add = useOperationMutation('addAnchors', ['getSettings'])
  const showToast = useToast()
  const input = { params: { environment }, json: { pem } }
  return (
    <FormDialog
      open
      persistent
      wide
      onClose={onClose}
      title={`Add trust anchor in ${environment}`}
      description="In PEM format: the root or intermediate certificate that the issuer’s chain ends at."
      submit={parsedAnchors === undefined ? 'Review certificate' : 'Trust certificate'}
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
            showToast(parsedAnchors.length === 1 ? 'Anchor added.' : `${parsedAnchors.length} anchors added.`)
            onClose()
          },
        })
      }}
    >
      <TextArea
        label="Certificates"
        rows={8}
        value={pem}
        onChange={({ target }) => {
          setPem(target.value)
          setParsedAnchors(undefined)
        }}
      />
      {parsedAnchors?.map((anchor) => (
        <AnchorFacts key={anchor.fingerprint} anchor={anchor} />
      ))}
    </FormDialog>
  )
}

function RemoveAnchor({ anchor, onClose }: { anchor: TenantAnchor; onClose: () => void }) {
  const { environment, fingerprint } = anchor
  return (
    <ChangeDialog
      op="removeAnchor"
      input={{ params: { environment, fingerprint } }}
      invalidates={['getSettings']}
      successMessage="Anchor removed."
      title={`Stop trusting this anchor in ${environment}?`}
      description="New responses that depend on it will fail. Past results do not change."
      submit="Remove anchor"
      variant="danger"
      onClose={onClose}
    >
      <AnchorFacts anchor={anchor} />
    </ChangeDialog>
  )
}

function AnchorFacts({ anchor: { subject, expires_at, fingerprint } }: { anchor: TrustAnchor }) {
  return (
    <Facts>
      <Fact name="Subject">{subject}</Fact>
      <Fact name="Expires">
        <Time at={expires_at} form="day" />
      </Fact>
      <Fact name="SHA-256">
        <code className="break-all">{fingerprint}</code>
      </Fact>
    </Facts>
  )
}
