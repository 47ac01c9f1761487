import { expect, test } from 'vitest'
import { shareQuestions } from './share-questions.ts'

/** Questions that are answered, with their number, when the test says so. */
function oracle() {
  const open: { question: string; answer: () => void; fail: () => void }[] = []
  let count = 0
  const put = (question: string) =>
    new Promise<number>((resolve, reject) => {
      count += 1
      const number = count
      open.push({ question, answer: () => resolve(number), fail: () => reject(new Error('no answer')) })
    })
  return { put, open }
}

const settled = () => new Promise(setImmediate)

test('a question never joins one that was already put; all that arrive meanwhile share the next', async () => {
  const { put, open } = oracle()
  const ask = shareQuestions(put, 10)

  const first = ask('a')
  const later = [ask('a'), ask('a'), ask('a')]
  expect(open).toHaveLength(1)
  open.shift()?.answer()
  await settled()
  expect(open).toHaveLength(1)
  const last = ask('a')
  open.shift()?.answer()
  await settled()
  open.shift()?.answer()

  expect(await first).toBe(1)
  for (const each of later) expect(await each).toBe(2)
  expect(await last).toBe(3)
})

test('different questions do not wait for each other', async () => {
  const { put, open } = oracle()
  const ask = shareQuestions(put, 10)
  const [slow, quick] = [ask('slow'), ask('quick')]
  open[1]?.answer()

  expect(await quick).toBe(2)
  open[0]?.answer()
  expect(await slow).toBe(1)
})

test('a failed question fails for those who asked it, and not for the next', async () => {
  const { put, open } = oracle()
  const ask = shareQuestions(put, 10)
  const [first, second] = [ask('a'), ask('a')]
  open.shift()?.fail()
  await expect(first).rejects.toThrow('no answer')
  open.shift()?.answer()
  expect(await second).toBe(2)
})

test('no more than the stated number of different questions is open, and an ended one makes room', async () => {
  const { put, open } = oracle()
  const ask = shareQuestions(put, 2)
  void [ask('a'), ask('b')]

  expect(ask('c')).toBeUndefined()
  expect(ask('a')).toBeDefined()
  open[1]?.answer()
  await settled()
  expect(ask('c')).toBeDefined()
})
