import type { Receipt } from '@vidimus/contract'

/** Copies of a receipt, each with one bit changed in another member of it or of its body, and where. */
export function* changeReceipt(receipt: Receipt): Generator<[string, unknown]> {
  yield* changeEach(receipt, 'receipt')
  for (const [place, body] of changeEach(JSON.parse(receipt.body), 'body'))
    yield [place, { ...receipt, body: JSON.stringify(body) }]
}

/** Every place of a JSON value, with a copy in which one bit there is changed. */
function* changeEach(value: unknown, path: string): Generator<[string, unknown]> {
  if (typeof value === 'string') {
    const at = Math.floor(value.length / 2)
    const other = String.fromCharCode(value.charCodeAt(at) ^ 1)
    yield [path, value.slice(0, at) + other + value.slice(at + 1)]
  } else if (typeof value === 'number') yield [path, value ^ 1]
  else if (typeof value === 'boolean') yield [path, !value]
  else if (Array.isArray(value))
    for (const [index, each] of value.entries())
      for (const [place, changed] of changeEach(each, `${path}[${index}]`))
        yield [place, value.with(index, changed)]
  else if (typeof value === 'object' && value !== null)
    for (const [name, each] of Object.entries(value))
      for (const [place, changed] of changeEach(each, `${path}.${name}`))
        yield [place, { ...value, [name]: changed }]
}
