import { useInfiniteQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { CircleCheck, CircleX, ShieldCheck } from 'lucide-react'
import type { AuditEntry, LogVerification } from '@vidimus/contract'
import { useFormats } from '../../texts/texts-context.ts'
import { Button } from '../../ui/button.tsx'
import { endOfDay, startOfDay } from '../../ui/day-range.ts'
import { EmptyState } from '../../ui/empty-state.tsx'
import { ErrorMessage } from '../../ui/error-message.tsx'
import { SelectField, TextField } from '../../ui/field.tsx'
import { Filters } from '../../ui/filters.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Card, Fact, Facts, Page } from '../../ui/page.tsx'
import { SkeletonRows } from '../../ui/skeleton.tsx'
import { Table, type Column } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { call, useOperationMutation } from '../api.ts'
import { PageForRole } from '../shell/not-for-role.tsx'
import { useConsoleTexts, type ConsoleTexts } from '../texts/console-texts.ts'
import { LoggedAction } from './logged-action.tsx'

/** The log of the installation: who did what, when and why, on the console, by the API or from the command line. */
export function Log() {
  const text = useConsoleTexts().log
  return (
    <PageForRole permission="read_log" text={text}>
      <LogOfInstallation />
    </PageForRole>
  )
}

function LogOfInstallation() {
  const { log: text } = useConsoleTexts()
  const formats = useFormats()
  const { from, to, ...filter } = useSearch({ from: '/shell/log' })
  const query = { ...filter, from: startOfDay(from), to: endOfDay(to) }
  const log = useInfiniteQuery({
    queryKey: ['listLog', query],
    queryFn: ({ pageParam, signal }) =>
      call('listLog', { query: { ...query, before_seq: pageParam } }, signal),
    initialPageParam: undefined as string | undefined,
    getNextPageParam: ({ next_before_seq }) =>
      next_before_seq === undefined ? undefined : String(next_before_seq),
  })
  const rows = log.data?.pages.flatMap(({ data }) => data)
  const waiting = log.data?.pages[0]?.waiting ?? 0
  const filtered = Object.values(query).some((value) => value !== undefined)
  return (
    <Page title={text.title} description={text.description}>
      <div className="grid gap-6">
        <CheckLog />
        <LogFilters />
        {waiting > 0 && (
          <p className="flex flex-wrap items-center gap-3 text-sm text-soft">
            {formats.count(text.waiting, waiting)}
            <Button size="small" busy={log.isFetching} onClick={() => void log.refetch()}>
              {text.load_again}
            </Button>
          </p>
        )}
        {log.error !== null && <ErrorMessage error={log.error} retry={() => void log.refetch()} />}
        {log.isPending && <SkeletonRows rows={8} />}
        {rows?.length === 0 && !filtered && (
          <EmptyState title={text.empty_title}>
            <p>{text.empty_text}</p>
          </EmptyState>
        )}
        {rows?.length === 0 && filtered && <p className="py-8 text-center text-soft">{text.no_match}</p>}
        {rows !== undefined && rows.length > 0 && (
          <Table
            caption={text.caption}
            rows={rows}
            rowKey={({ seq }) => String(seq)}
            columns={columns(text)}
          />
        )}
        <LoadMore query={log} label={text.load_older} />
      </div>
    </Page>
  )
}

function columns(text: ConsoleTexts['log']): Column<AuditEntry>[] {
  return [
    {
      title: text.action,
      rowHeader: true,
      cell: ({ action, detail }) => <LoggedAction action={action} detail={detail} />,
    },
    {
      title: text.operator,
      cell: ({ actor, actor_name, erased }) =>
        actor_name ?? <span className="text-soft">{erased ? text.erased : actor}</span>,
    },
    {
      title: text.subject,
      cell: ({ subject, subject_name }) => (
        <span className="grid max-sm:justify-items-end">
          {subject_name !== undefined && <span>{subject_name}</span>}
          {subject === undefined ? (
            '–'
          ) : (
            <code title={subject} className="text-xs text-soft max-sm:break-all sm:max-w-40 sm:truncate">
              {subject}
            </code>
          )}
        </span>
      ),
    },
    { title: text.reason, cell: ({ purpose = '–' }) => <span className="text-soft">{purpose}</span> },
    { title: text.number, cell: ({ seq }) => <span className="text-soft tabular">{seq}</span> },
    { title: text.time, end: true, cell: ({ at }) => <Time at={at} form="exact" /> },
  ]
}

function LogFilters() {
  const { log: text, filters, common } = useConsoleTexts()
  const formats = useFormats()
  const filter = useSearch({ from: '/shell/log' })
  const navigate = useNavigate()
  const set = (name: keyof typeof filter, value: string) => {
    const { [name]: _, ...others } = filter
    const search = value === '' ? others : { ...others, [name]: value }
    void navigate({ to: '/log', search, replace: true, resetScroll: false })
  }
  const actions = Object.entries(text.actions).toSorted(([, a], [, b]) => a.localeCompare(b, formats.locale))
  return (
    <Filters
      active={Object.keys(filter).length}
      onClear={() => void navigate({ to: '/log', search: {}, replace: true })}
    >
      <SelectField
        label={text.action}
        value={filter.action ?? ''}
        onChange={({ target }) => set('action', target.value)}
      >
        <option value="">{common.all}</option>
        {actions.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </SelectField>
      <TextField
        type="date"
        label={filters.from}
        value={filter.from ?? ''}
        onChange={({ target }) => set('from', target.value)}
      />
      <TextField
        type="date"
        label={filters.to}
        value={filter.to ?? ''}
        onChange={({ target }) => set('to', target.value)}
      />
    </Filters>
  )
}

/** Lets the service check its stored log against the signatures. */
function CheckLog() {
  const text = useConsoleTexts().log.check
  const check = useOperationMutation('verifyLog')
  return (
    <Card
      title={text.title}
      description={text.description}
      actions={
        <Button
          variant="primary"
          icon={<ShieldCheck className="size-4" aria-hidden />}
          busy={check.isPending}
          onClick={() => check.mutate({})}
        >
          {text.start}
        </Button>
      }
    >
      {check.error !== null && <ErrorMessage error={check.error} inline />}
      <div role="status" className="empty:hidden">
        {check.data !== undefined && <CheckResult result={check.data} />}
      </div>
    </Card>
  )
}

function CheckResult({ result: { valid, entries, faults, head, removed } }: { result: LogVerification }) {
  const text = useConsoleTexts().log.check
  const formats = useFormats()
  const Icon = valid ? CircleCheck : CircleX
  return (
    <div className={`grid gap-3 rounded-md px-4 py-3 ${valid ? 'bg-good-tint' : 'bg-bad-tint'}`}>
      <p className={`flex gap-2.5 font-semibold ${valid ? 'text-good' : 'text-bad'}`}>
        <Icon className="mt-1 size-4 shrink-0" aria-hidden />
        {valid ? formats.count(text.intact, entries) : formats.count(text.broken, faults.length)}
      </p>
      {!valid && (
        <ul className="grid gap-1 pl-7 text-sm" lang="en">
          {faults.slice(0, 5).map((fault) => (
            <li key={fault}>{fault}</li>
          ))}
        </ul>
      )}
      {valid && (
        <Facts>
          <Fact name={text.removed}>{formats.integer(removed)}</Fact>
          {head !== undefined && (
            <Fact name={text.last_hash}>
              <code className="break-all">{head}</code>
            </Fact>
          )}
        </Facts>
      )}
    </div>
  )
}
