import type { ReactNode } from 'react'
import { Link } from '@tanstack/react-router'
import { TriangleAlert } from 'lucide-react'
import type { Health } from '@vidimus/contract'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { Sentence } from '../../texts/sentence.tsx'
import type { Formats } from '../../texts/formats.ts'
import { useFormats } from '../../texts/texts-context.ts'
import { Badge, type Tone } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { Figure } from '../../ui/figure.tsx'
import { Card, Page } from '../../ui/page.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Time } from '../../ui/time.tsx'
import { useOperationQuery } from '../api.ts'
import { usePermission } from '../shell/console-context.ts'
import { PageForRole } from '../shell/not-for-role.tsx'
import { useConsoleTexts, type ConsoleTexts } from '../texts/console-texts.ts'
import { describeHealth } from './describe-health.ts'

type Status = Health['partitions']['status']

const tones: Record<Status, Tone> = { ok: 'good', warning: 'wait', wrong: 'bad' }
const byWorst: Record<Status, number> = { wrong: 0, warning: 1, ok: 2 }
const loopsInView = 6

/** The state of the installation: what needs attention first, then what it was read from. */
export function HealthPage() {
  const text = useConsoleTexts().health
  return (
    <PageForRole permission="read_health" text={text}>
      <HealthOfInstallation />
    </PageForRole>
  )
}

function HealthOfInstallation() {
  const { health: text } = useConsoleTexts()
  const query = useOperationQuery('getHealth', {})
  const { data: health } = query
  return (
    <Page
      title={text.title}
      description={
        health === undefined ? (
          text.description
        ) : (
          <Sentence
            text={text.checked}
            values={{ at: <Time at={health.checked_at} form="exact" />, version: health.version }}
          />
        )
      }
      actions={
        <>
          <Button busy={query.isFetching} onClick={() => void query.refetch()}>
            {text.check_again}
          </Button>
          {health !== undefined && <CopyButton wide text={describeHealth(health)} label={text.copy} />}
        </>
      }
    >
      {query.error !== null && <ErrorMessage error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Skeleton className="h-96 w-full rounded-lg" />}
      {health !== undefined && (
        <div className="grid gap-4">
          <Attention attention={health.attention} />
          <Figures health={health} />
          <div className="grid items-start gap-4 lg:grid-cols-2">
            <LoopsAndQueues health={health} />
            <ListsAndStorage health={health} />
          </div>
        </div>
      )}
    </Page>
  )
}

/** What is wrong and what to do, as `vidimus doctor` says it, in English. */
function Attention({ attention }: { attention: Health['attention'] }) {
  const text = useConsoleTexts().health
  const formats = useFormats()
  if (attention.length === 0) {
    return (
      <p className="rounded-lg border border-line bg-good-tint px-5 py-3.5 text-sm font-semibold text-good">
        {text.nothing}
      </p>
    )
  }
  return (
    <section aria-labelledby="attention" className="rounded-lg border border-line bg-surface">
      <h2 id="attention" className="flex items-center gap-2 px-5 py-3 text-sm font-semibold">
        <TriangleAlert className="size-4" aria-hidden /> {formats.count(text.attention, attention.length)}
      </h2>
      <ul className="text-sm">
        {attention.map(({ check, status, says, cure }) => (
          <li key={`${check} ${says}`} className="flex gap-4 border-t border-line px-5 py-3">
            <span className="w-24 shrink-0">
              <Badge tone={tones[status]} dot>
                {text.statuses[status]}
              </Badge>
            </span>
            <div className="min-w-0" lang="en">
              <p>
                <span className="font-semibold">{check}</span>: {says}
              </p>
              {cure !== undefined && <p className="text-soft">{cure}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}

function Figures({ health }: { health: Health }) {
  const { health: page } = useConsoleTexts()
  const text = page.figures
  const formats = useFormats()
  const { database, partitions, queues, worker_seconds } = health
  const webhooks = queues.find(({ name }) => name === 'webhooks')
  return (
    <div className="grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <Figure
        name={text.webhooks}
        value={formats.integer(webhooks?.waiting ?? 0)}
        tone={toneOf(webhooks?.status)}
        note={
          webhooks === undefined || webhooks.waiting === 0
            ? text.none_wait
            : fillIn(text.oldest, { time: formats.seconds(webhooks.oldest_seconds) })
        }
      />
      <Figure
        name={text.worker}
        value={
          worker_seconds === undefined ? '–' : fillIn(page.ago, { time: formats.seconds(worker_seconds) })
        }
        tone={worker_seconds === undefined ? 'bad' : 'good'}
        note={worker_seconds === undefined ? text.no_worker : text.worker_note}
      />
      <Figure
        name={text.connections}
        value={`${formats.integer(database.connections)} / ${formats.integer(database.max_connections)}`}
        tone={toneOf(database.status)}
        note={fillIn(text.database, {
          version: database.version.split(' ')[0] ?? '',
          size: formatSize(database.size_bytes, formats),
        })}
      />
      <Figure
        name={text.partitions}
        value={formats.count(text.days, partitions.days_ahead)}
        tone={toneOf(partitions.status)}
        note={text.partitions_note}
      />
    </div>
  )
}

function toneOf(status: Status = 'ok'): 'good' | 'wait' | 'bad' {
  return status === 'ok' ? 'good' : status === 'warning' ? 'wait' : 'bad'
}

function LoopsAndQueues({ health: { loops, queues } }: { health: Health }) {
  const text = useConsoleTexts().health
  const formats = useFormats()
  const ordered = loops.toSorted((a, b) => byWorst[a.status] - byWorst[b.status])
  const [first, rest] = [ordered.slice(0, loopsInView), ordered.slice(loopsInView)]
  const row = ({ name, status, age_seconds, interval_seconds }: Health['loops'][number]) => (
    <Check
      key={name}
      status={status}
      name={<code>{name}</code>}
      note={fillIn(text.interval, { time: formatInterval(interval_seconds, formats) })}
      value={fillIn(text.ago, { time: formats.seconds(age_seconds) })}
    />
  )
  return (
    <Card title={text.loops}>
      <ul className="divide-y divide-line">
        {queues.map(({ name, status, waiting, oldest_seconds }) => (
          <Check
            key={name}
            status={status}
            name={text.queues[name]}
            note={formats.count(text.waiting, waiting)}
            value={waiting === 0 ? '–' : formats.seconds(oldest_seconds)}
          />
        ))}
        {first.map(row)}
      </ul>
      {loops.length === 0 && <p className="text-sm text-soft">{text.no_loops}</p>}
      {rest.length > 0 && (
        <details className="mt-3">
          <summary className="w-fit cursor-pointer rounded-sm text-sm font-medium">
            {formats.count(text.more_loops, rest.length)}
          </summary>
          <ul className="mt-2 divide-y divide-line">{rest.map(row)}</ul>
        </details>
      )}
    </Card>
  )
}

function ListsAndStorage({ health }: { health: Health }) {
  const { health: text, common } = useConsoleTexts()
  const formats = useFormats()
  const { trust_lists, certificates, partitions, database, disks } = health
  return (
    <Card title={text.lists}>
      <ul className="divide-y divide-line">
        {certificates.map(({ owner, subject, ends_at, status }) => (
          <Check
            key={`${owner} ${subject}`}
            status={status}
            name={owner === 'service' ? text.service_certificate : <TenantCertificate tenant_id={owner} />}
            note={subject}
            value={<Time at={ends_at} form="day" />}
          />
        ))}
        {trust_lists.map(({ url, environment, anchors, refreshed_at, status }) => (
          <Check
            key={`${url} ${environment}`}
            status={status}
            name={url}
            note={`${common.environments[environment]}, ${formats.count(text.anchors, anchors)}`}
            value={refreshed_at === undefined ? common.never : <Time at={refreshed_at} form="relative" />}
          />
        ))}
        <Check
          status={partitions.status}
          name={text.figures.partitions}
          note={text.figures.partitions_note}
          value={formats.count(text.figures.days, partitions.days_ahead)}
        />
        {disks.map(({ name, status, free_bytes, total_bytes }) => (
          <Check
            key={name}
            status={status}
            known={free_bytes !== undefined}
            name={text.disks[name]}
            note={
              free_bytes === undefined || total_bytes === undefined
                ? text.disk_unknown
                : fillIn(text.disk_free, {
                    free: formatSize(free_bytes, formats),
                    total: formatSize(total_bytes, formats),
                  })
            }
            value={
              free_bytes === undefined || total_bytes === undefined
                ? '–'
                : formats.percent(free_bytes / total_bytes)
            }
          />
        ))}
        <Check
          status={database.status}
          name={text.disk}
          note={database.writable ? text.writable : text.not_writable}
          value={formatSize(database.size_bytes, formats)}
        />
      </ul>
    </Card>
  )
}

/** Leads to the tenant, for roles that may read it. */
function TenantCertificate({ tenant_id }: { tenant_id: string }) {
  const text = useConsoleTexts().health
  if (!usePermission('read_tenants')) return text.tenant_certificate
  return (
    <Link
      to="/tenants/$id"
      params={{ id: tenant_id }}
      className="text-accent underline-offset-4 hover:underline"
    >
      {text.tenant_certificate}
    </Link>
  )
}

type CheckProps = {
  status: Status
  /** False if nothing could be checked. */
  known?: boolean
  name: ReactNode
  note: string
  value: ReactNode
}

/** One thing that was checked. */
function Check({ status, known = true, name, note, value }: CheckProps) {
  const text: ConsoleTexts['health'] = useConsoleTexts().health
  return (
    <li className="grid min-h-12 grid-cols-[5.5rem_minmax(0,1fr)_auto] items-center gap-4 py-1.5 text-sm">
      <span>
        <Badge tone={known ? tones[status] : 'plain'} dot>
          {known ? text.statuses[status] : text.unknown}
        </Badge>
      </span>
      <span className="min-w-0">
        <span className="block">{name}</span>
        <span className="block text-xs text-soft">{note}</span>
      </span>
      <span className="text-end text-soft tabular">{value}</span>
    </li>
  )
}

/** `10 min` rather than `10 min 0 s`. */
function formatInterval(seconds: number, formats: Formats): string {
  if (seconds >= 3600 && seconds % 3600 === 0) return `${formats.integer(seconds / 3600)} h`
  return seconds >= 60 && seconds % 60 === 0
    ? `${formats.integer(seconds / 60)} min`
    : formats.seconds(seconds)
}

const units = ['B', 'kB', 'MB', 'GB', 'TB'] as const

function formatSize(bytes: number, formats: Formats): string {
  const power = bytes === 0 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3))
  const value = bytes / 1000 ** power
  return `${formats.decimal(value, power > 0 && value < 100 ? 1 : 0)} ${units[power]}`
}
