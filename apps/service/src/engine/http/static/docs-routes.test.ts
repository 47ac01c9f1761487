import { openapiDocument } from '@vidimus/contract'
import { afterAll, expect, test } from 'vitest'
import { startService } from '../../../../test/service.ts'

type Item = {
  name: string
  request: {
    method: string
    header: { key: string; value: string; disabled?: true }[]
    url: { raw: string; variable: { key: string; value: string }[] }
    body?: { raw: string }
  }
}
type Collection = { item: { name: string; item: Item[] }[] }

const service = await startService()
afterAll(() => service[Symbol.asyncDispose]())

test('the collection for Postman and Bruno has every operation for merchants, and its requests work', async () => {
  const { status, headers, body } = await service.anonymous.get('/postman.json')
  expect([status, headers.get('access-control-allow-origin')]).toEqual([200, '*'])
  const items = (body as Collection).item.flatMap(({ item }) => item)
  const { paths } = openapiDocument() as { paths: Record<string, object> }
  const offered = Object.entries(paths).filter(([path]) => path.startsWith('/v1/'))
  expect(items).toHaveLength(offered.flatMap(([, methods]) => Object.keys(methods)).length)

  const merchant = await service.tenant()
  const send = async (name: string, id = '') => {
    const { request } = items.find((item) => item.name === name) ?? { request: undefined }
    if (request === undefined) throw new Error(`The collection has no request ${name}.`)
    const path = request.url.raw.replace('{{VIDIMUS_URL}}', '').replace(':id', id)
    const sent = request.header.filter(({ disabled }) => disabled !== true)
    return merchant.request(request.method, path, {
      headers: Object.fromEntries(sent.map(({ key, value }) => [key, value.replace('{{$guid}}', 'a-key')])),
      ...(request.body !== undefined && { body: JSON.parse(request.body.raw) }),
    })
  }
  const created = await send('Create a verification')
  expect([created.status, created.body.template]).toEqual([201, 'age_over_18'])
  expect((await send('Get a verification', created.body.id)).body).toEqual(created.body)
})
