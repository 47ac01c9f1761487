import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { session } from '../test/session.ts'
import { followSession } from './follow-session.ts'
import type { HolderSession } from './holder-session.ts'

test('the session is read again when its phase changes, and no longer after the outcome', async () => {
  const browser = fakeBrowser([session(), session({ phase: 'opened' }), session({ phase: 'completed' })])
  const seen = follow(browser)
  await turn()
  browser.sendPhase('pending')
  await turn()
  expect(seen.log).toEqual(['pending'])

  browser.sendPhase('opened')
  await turn()
  browser.sendPhase('completed')
  await turn()

  expect(seen.log).toEqual(['pending', 'opened', 'completed'])
  expect(browser.openSources()).toBe(0)
  seen.followed.refresh()
  await turn()
  expect(browser.reads).toBe(3)
})

test('a code that moves arrives with the events, and a failed attempt is a change', async () => {
  const attempt = { outcome: 'declined', left: 2 } as const
  const browser = fakeBrowser([session({ moving_code: true }), session({ attempt })])
  const seen = follow(browser)
  await turn()
  browser.sendCode('openid4vp://?2')
  browser.sendPhase('pending', 2)
  await turn()
  browser.sendPhase('pending', 2)
  await turn()

  expect(browser.urls).toEqual(['https://verify.example/events?code=moving'])
  expect(seen.log).toEqual(['pending', 'openid4vp://?2', 'pending'])
})

test('without an event stream the session is read after growing pauses of at most five seconds', async () => {
  const browser = fakeBrowser(Array.from({ length: 8 }, () => session()))
  const seen = follow(browser)
  await turn()
  for (let round = 0; round < 6; round += 1) {
    browser.failSource()
    browser.endPause()
    await turn()
  }

  expect(browser.pauses_ms).toEqual([1000, 2000, 4000, 5000, 5000, 5000])
  expect(seen.log).toHaveLength(7)
})

test('a phase that arrives starts the pauses from the beginning', async () => {
  const browser = fakeBrowser(Array.from({ length: 5 }, () => session()))
  follow(browser)
  await turn()
  browser.failSource()
  browser.endPause()
  await turn()
  browser.failSource()
  browser.endPause()
  await turn()
  browser.sendPhase('pending')
  browser.failSource()

  expect(browser.pauses_ms).toEqual([1000, 2000, 1000])
})

test('a failed reading is reported and tried again', async () => {
  const browser = fakeBrowser([new TypeError('Failed to fetch'), session()])
  const seen = follow(browser)
  await turn()
  expect(seen.log).toEqual(['lost'])

  browser.endPause()
  await turn()

  expect(seen.log).toEqual(['lost', 'pending'])
})

test('an unknown session is reported once, and not read again', async () => {
  const browser = fakeBrowser([undefined])
  const seen = follow(browser)
  await turn()
  seen.followed.refresh()
  await turn()

  expect(seen.log).toEqual(['unavailable'])
  expect(browser.reads).toBe(1)
})

test('readings do not overlap: a refresh during one follows it', async () => {
  const browser = fakeBrowser([session(), session({ phase: 'opened' })])
  const seen = follow(browser)
  seen.followed.refresh()
  seen.followed.refresh()
  expect(browser.reads).toBe(1)
  await turn()
  await turn()

  expect(browser.reads).toBe(2)
  expect(seen.log).toEqual(['pending', 'opened'])
})

test('a stopped session reports nothing more', async () => {
  const browser = fakeBrowser([session(), session()])
  const seen = follow(browser)
  seen.followed.stop()
  await turn()

  expect(seen.log).toEqual([])
  expect(browser.openSources()).toBe(0)
})

function follow(browser: ReturnType<typeof fakeBrowser>) {
  const log: string[] = []
  const followed = followSession({
    service: {
      readSession: () => browser.readSession(),
      eventsUrl: (moving) => `https://verify.example/events${moving ? '?code=moving' : ''}`,
    },
    onCode: ({ uri }) => void log.push(uri),
    onSession: ({ phase }) => void log.push(phase),
    onUnavailable: () => void log.push('unavailable'),
    onLost: () => void log.push('lost'),
    environment: browser.environment,
  })
  return { log, followed }
}

/** A browser whose event sources and pauses end when the test says so. Pauses have no random part. */
function fakeBrowser(sessions: (HolderSession | undefined | Error)[]) {
  const sources = new Set<FakeEventSource>()
  const pauses_ms: number[] = []
  const urls: string[] = []
  let pause: (() => void) | undefined
  const send = (type: string, data: object) =>
    [...sources].at(-1)?.dispatchEvent(new MessageEvent(type, { data: JSON.stringify(data) }))
  const fake = {
    reads: 0,
    pauses_ms,
    openSources: () => sources.size,
    async readSession() {
      const result = sessions[fake.reads]
      fake.reads += 1
      if (result instanceof Error) throw result
      return result
    },
    sendPhase: (phase: string, attempts_left?: number) => send('phase', { phase, attempts_left }),
    sendCode: (uri: string) => send('code', { uri }),
    urls,
    failSource: () => [...sources].at(-1)?.dispatchEvent(new Event('error')),
    endPause: () => pause?.(),
    environment: {
      EventSource: class extends EventTarget {
        constructor(url: string) {
          super()
          urls.push(url)
          sources.add(this)
        }
        close(): void {
          sources.delete(this)
        }
      },
      sleep(callback: () => void, ms: number) {
        pauses_ms.push(ms)
        pause = callback
        return () => (pause = undefined)
      },
      random: () => 0.5,
    },
  }
  return fake
}

type FakeEventSource = EventTarget & { close: () => void }
