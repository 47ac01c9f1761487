import { useState } from 'react'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { fillIn } from '@vidimus/holder-texts/fill-in'
import { sealing } from '@vidimus/sdk'
import type { SealingKey } from '@vidimus/contract'
import { call } from '../api/call.ts'
import { useOperationMutation, useOperationQuery } from '../api/queries.ts'
import { useEnvironment } from '../shell/shell-context.ts'
import { useTexts } from '../texts/texts-context.ts'
import { Badge } from '../ui/badge.tsx'
import { Button } from '../ui/button.tsx'
import { FormDialog } from '../ui/dialog.tsx'
import { ErrorMessage } from '../ui/error-message.tsx'
import { TextField } from '../ui/field.tsx'
import { Card } from '../ui/page.tsx'
import { SkeletonRows } from '../ui/skeleton.tsx'
import { Table } from '../ui/table.tsx'
import { Time } from '../ui/time.tsx'
import { useToast } from '../ui/toast.tsx'
import { forgetKey, keepKey, listKeys, readPrivateJwk } from './key-store.ts'

/** The keys that results are sealed to, and the private keys that this browser opens them with. */
export function SealingSettings({ canManage }: { canManage: boolean }) {
  const text = useTexts().settings.sealing
  const environment = useEnvironment()
  const keys = useOperationQuery('listSealingKeys', { params: { environment } })
  const [retiring, setRetiring] = useState<SealingKey>()
  const create = useCreateKey()
  const rows = keys.data?.data ?? []
  return (
    <>
      <Card
        title={text.title}
        description={text.description}
        actions={
          canManage && (
            <Button variant="primary" busy={create.isPending} onClick={() => create.mutate()}>
              {text.create}
            </Button>
          )
        }
      >
        <div className="grid gap-4">
          {keys.error !== null && <ErrorMessage error={keys.error} retry={() => void keys.refetch()} />}
          {create.error !== null && <ErrorMessage error={create.error} inline />}
          {keys.isPending && <SkeletonRows rows={2} />}
          {keys.isSuccess && rows.length === 0 && <p className="text-sm text-soft">{text.none}</p>}
          {rows.length > 0 && (
            <Table
              caption={text.title}
              rows={rows}
              rowKey={({ kid }) => kid}
              columns={[
                {
                  title: text.key,
                  rowHeader: true,
                  cell: ({ kid, name }) => (
                    <span className="grid">
                      {name !== undefined && <span className="font-medium">{name}</span>}
                      <code className="text-xs break-all text-soft">{kid}</code>
                    </span>
                  ),
                },
                {
                  title: text.state,
                  cell: ({ state }) => (
                    <Badge tone={state === 'active' ? 'good' : 'plain'}>{text.states[state]}</Badge>
                  ),
                },
                {
                  title: text.results,
                  cell: ({ results }) => results && countResults(results),
                },
                { title: text.since, cell: ({ created_at }) => <Time at={created_at} /> },
                {
                  title: '',
                  end: true,
                  cell: (key) =>
                    canManage &&
                    key.state !== 'retired' && (
                      <Button size="small" onClick={() => setRetiring(key)}>
                        {text.retire.button}
                      </Button>
                    ),
                },
              ]}
            />
          )}
        </div>
      </Card>
      <KeysOfBrowser />
      {retiring !== undefined && (
        <RetireKey
          target={retiring}
          isLast={rows.filter(({ state }) => state === 'active').length === 1 && retiring.state === 'active'}
          onClose={() => setRetiring(undefined)}
        />
      )}
    </>
  )
}

/** Makes a key here, saves it as a file, keeps it in this browser, and registers its public half. */
function useCreateKey() {
  const text = useTexts().settings.sealing
  const environment = useEnvironment()
  const client = useQueryClient()
  const showToast = useToast()
  return useMutation({
    async mutationFn() {
      const { privateJwk, publicJwk, kid } = await sealing.createKey()
      const params = { environment }
      const { challenge } = await call('registerSealingKey', { params, json: { jwk: publicJwk } })
      // Before the key seals anything: whoever closes the page now has it.
      saveFile(`sealing-key-${environment}.json`, `${JSON.stringify(privateJwk)}\n`)
      await keepKey(privateJwk)
      const opened = await sealing.openText(challenge, privateJwk)
      await call('activateSealingKey', { params: { environment, kid }, json: { challenge: opened } })
    },
    async onSuccess() {
      showToast(text.created)
    },
    onSettled: () =>
      Promise.all([
        client.invalidateQueries({ queryKey: ['listSealingKeys'] }),
        client.invalidateQueries({ queryKey: ['keysOfBrowser'] }),
      ]),
  })
}

function saveFile(name: string, content: string): void {
  const url = URL.createObjectURL(new Blob([content], { type: 'application/json' }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has begun to save it by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}

function KeysOfBrowser() {
  const text = useTexts().settings.sealing
  const client = useQueryClient()
  const kept = useQuery({ queryKey: ['keysOfBrowser'], queryFn: listKeys })
  const refresh = () => client.invalidateQueries({ queryKey: ['keysOfBrowser'] })
  const add = useMutation({
    async mutationFn(file: File) {
      const jwk = readPrivateJwk(await file.text())
      if (jwk === undefined) throw new Error(text.browser.invalid)
      await keepKey(jwk)
    },
    onSuccess: refresh,
  })
  const forget = useMutation({ mutationFn: forgetKey, onSuccess: refresh })
  return (
    <Card title={text.browser.title} description={text.browser.description}>
      <div className="grid gap-4">
        {kept.data?.map(({ kid }) => (
          <div key={kid} className="flex flex-wrap items-center justify-between gap-2">
            <code className="text-xs break-all">{kid}</code>
            <Button size="small" busy={forget.isPending} onClick={() => forget.mutate(kid)}>
              {text.browser.forget}
            </Button>
          </div>
        ))}
        {(add.error ?? forget.error ?? kept.error) !== null && (
          <ErrorMessage error={add.error ?? forget.error ?? kept.error ?? new Error()} inline />
        )}
        <div className="max-w-sm">
          <TextField
            label={text.browser.add}
            hint={text.browser.hint}
            type="file"
            accept=".json,application/json"
            onChange={({ target }) => {
              const file = target.files?.[0]
              if (file !== undefined) add.mutate(file)
            }}
          />
        </div>
      </div>
    </Card>
  )
}

function RetireKey({
  target: { kid, state, results },
  isLast,
  onClose,
}: {
  target: SealingKey
  isLast: boolean
  onClose: () => void
}) {
  const text = useTexts().settings.sealing.retire
  const environment = useEnvironment()
  const retire = useOperationMutation('retireSealingKey', ['listSealingKeys'])
  return (
    <FormDialog
      open
      onClose={onClose}
      title={text.title}
      description={[
        isLast ? text.last : state === 'pending' ? text.pending : text.description,
        ...(results === undefined ? [] : [fillIn(text.opens, { count: countResults(results) })]),
      ].join(' ')}
      submit={isLast ? text.end : text.button}
      variant="danger"
      busy={retire.isPending}
      error={retire.error}
      onSubmit={() =>
        retire.mutate(
          { params: { environment, kid }, ...(isLast && { query: { end_sealing: 'true' } }) },
          { onSuccess: onClose },
        )
      }
    />
  )
}

function countResults({ count, more }: NonNullable<SealingKey['results']>): string {
  return more ? `${count}+` : String(count)
}
