import { useState } from 'react'
import { Plus } from 'lucide-react'
import type { TenantTrust as Trust, TrustAnchor } from '@vidimus/contract'
import { useChange } from '../api/queries.ts'
import { useEnvironment } from '../shell/me.ts'
import { Button } from '../ui/button.tsx'
import { ChangeDialog } from '../ui/change-dialog.tsx'
import { FormDialog } from '../ui/dialog.tsx'
import { Failure } from '../ui/failure.tsx'
import { Choices, TextArea, Tick } from '../ui/field.tsx'
import { Card, Fact, Facts } from '../ui/page.tsx'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { useSay } from '../ui/toast.tsx'

type OwnAnchor = Trust['anchors'][number]
type OwnTrustProps = { trust: Trust; manages: boolean }

/** Whom this tenant believes beside whom the service does, or in place of them (TRUST-1). */
export function OwnTrust({ trust, manages }: OwnTrustProps) {
  const [adding, setAdding] = useState(false)
  const [removing, setRemoving] = useState<OwnAnchor>()
  return (
    <Card
      title="Your own trust anchors"
      lead="Authorities whose issuers you believe: a partner’s, or a pilot’s. They count for your verifications alone, in one environment."
      actions={
        manages && (
          <Button icon={<Plus className="size-4" aria-hidden />} onClick={() => setAdding(true)}>
            Add anchor…
          </Button>
        )
      }
    >
      <div className="grid gap-5">
        <Policy policy={trust.policy} manages={manages} />
        {trust.anchors.length === 0 ? (
          <p className="text-sm text-soft">
            {trust.policy === 'own'
              ? 'You have none, so no issuer is believed in the live environment. In test the sandbox’s still is.'
              : 'You have none. Whoever the service trusts is believed.'}
          </p>
        ) : (
          <Anchors anchors={trust.anchors} {...(manages && { onRemove: setRemoving })} />
        )}
      </div>
      {adding && <AddAnchors onClose={() => setAdding(false)} />}
      {removing !== undefined && <RemoveAnchor anchor={removing} onClose={() => setRemoving(undefined)} />}
    </Card>
  )
}

function Policy({ policy, manages }: { policy: Trust['policy']; manages: boolean }) {
  /** What was just chosen, until the service has said what holds. */
  const [chosen, setChosen] = useState<Trust['policy']>()
  const shown = chosen ?? policy
  const change = useChange('changeTrustPolicy', ['getSettings'])
  const say = useSay()
  const choose = (wanted: Trust['policy']) => {
    setChosen(wanted)
    change.mutate(
      { json: { policy: wanted } },
      {
        onSuccess: () =>
          say(
            wanted === 'own'
              ? 'Only your own anchors count from now on.'
              : 'The service’s anchors and your own count from now on.',
          ),
        onSettled: () => setChosen(undefined),
      },
    )
  }
  return (
    <fieldset disabled={!manages} className="grid gap-2">
      <Choices legend="Whom you believe">
        <Tick
          kind="radio"
          name="trust_policy"
          label="The service’s and your own"
          hint="Every issuer that the service trusts, and those under your anchors."
          checked={shown === 'all'}
          onChange={() => choose('all')}
        />
        <Tick
          kind="radio"
          name="trust_policy"
          label="Your own alone"
          hint="A credential of any other issuer is not trusted, whatever the trust lists say."
          checked={shown === 'own'}
          onChange={() => choose('own')}
        />
      </Choices>
      {change.error !== null && <Failure error={change.error} inline />}
    </fieldset>
  )
}

function Anchors({
  anchors,
  onRemove,
}: {
  anchors: readonly OwnAnchor[]
  onRemove?: (anchor: OwnAnchor) => void
}) {
  return (
    <Table
      caption="Your own trust anchors"
      rows={anchors}
      rowKey={({ environment, fingerprint }) => `${environment} ${fingerprint}`}
      columns={[
        {
          title: 'Authority',
          lead: true,
          cell: ({ subject, fingerprint, document_types }) => (
            <span className="grid gap-0.5">
              <span>{subject}</span>
              <code className="text-xs break-all text-soft">{fingerprint}</code>
              {document_types !== undefined && (
                <span className="text-xs text-soft">for {document_types.join(', ')} only</span>
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
                cell: (anchor: OwnAnchor) => (
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

/** In two steps: what is trusted for a signature is looked at first. */
function AddAnchors({ onClose }: { onClose: () => void }) {
  const environment = useEnvironment()
  const [pem, setPem] = useState('')
  const [found, setFound] = useState<readonly TrustAnchor[]>()
  const read = useChange('readAnchors')
  const add = useChange('addAnchors', ['getSettings'])
  const say = useSay()
  const input = { params: { environment }, json: { pem } }
  return (
    <FormDialog
      open
      sticky
      wide
      onClose={onClose}
      title={`Trust an authority in ${environment}`}
      description="As PEM: the root or intermediate that the issuer’s certificates end at."
      submit={found === undefined ? 'Read it' : 'Trust it'}
      busy={read.isPending || add.isPending}
      disabled={pem.trim() === ''}
      error={found === undefined ? read.error : add.error}
      onSubmit={() => {
        if (found === undefined) {
          read.mutate(input, { onSuccess: ({ data }) => setFound(data) })
          return
        }
        add.mutate(input, {
          onSuccess: () => {
            say(found.length === 1 ? 'The anchor is trusted.' : `${found.length} anchors are trusted.`)
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
          setFound(undefined)
        }}
      />
      {found?.map((anchor) => (
        <Described key={anchor.fingerprint} anchor={anchor} />
      ))}
    </FormDialog>
  )
}

function RemoveAnchor({ anchor, onClose }: { anchor: OwnAnchor; onClose: () => void }) {
  const { environment, fingerprint } = anchor
  return (
    <ChangeDialog
      op="removeAnchor"
      input={{ params: { environment, fingerprint } }}
      stale={['getSettings']}
      done="The anchor is removed."
      title={`End the trust in it in ${environment}?`}
      description="Answers from now on that rest on it alone are not trusted. What was verified stays as it is."
      submit="Remove anchor"
      look="danger"
      onClose={onClose}
    >
      <Described anchor={anchor} />
    </ChangeDialog>
  )
}

function Described({ anchor: { subject, expires_at, fingerprint } }: { anchor: TrustAnchor }) {
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
