import fc from 'fast-check'
import { openEgressFixture } from '../apps/service/test/network/egress-fixture.ts'
import { reply, startReceiver } from '../apps/service/test/network/receiver.ts'
import { spelledUrl, spellings, spellingsZone } from '../apps/service/test/network/spell-addresses.ts'

/** What this process did, told to the run that watches it. */
export type Hostilities = {
  hostile: number
  /** Hostile requests that ended in anything but a refusal. */
  not_refused: number
  friendly: number
  answered: number
  /** Addresses that may be connected to: `127.0.0.1 53124`. */
  expected: string[]
}

const count = Number(process.argv[2])
const guarded = process.argv[3] === 'guarded'

/** The receiver that is allowed is on an address of its own; the one on 127.0.0.1 is what must never be reached. */
const friend = '127.0.0.2'
await using receiver = await startReceiver(reply(200), { host: friend })
await using victim = await startReceiver(reply(200))

const ipv4Forms = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '100.64.0.1', '192.168.0.1', '0.0.0.0']
const ipv6Forms = [
  '::1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'fe80::1',
  'fd00::1',
  '2001::1',
]
const privateForms = [...ipv4Forms, ...ipv6Forms]
const formOf = (index: number) => privateForms[index % privateForms.length] ?? ''
const rounds = Array.from({ length: Math.ceil(count / 5) }, (_, index) => index)
await using door = await openEgressFixture(
  {
    ...spellingsZone,
    'friend.test': [friend],
    ...Object.fromEntries(
      rounds.flatMap((index) => [
        [
          `rebind-${index}.test`,
          ({ count: asked }: { count: number }) => [asked === 1 ? '8.8.8.8' : formOf(index)],
        ],
        [`mixed-${index}.test`, [friend, formOf(index)]],
      ]),
    ),
  },
  ...(guarded ? [`${friend}/32`] : ['127.0.0.0/8']),
)

const told: Hostilities = {
  hostile: 0,
  not_refused: 0,
  friendly: 0,
  answered: 0,
  expected: [`127.0.0.1 ${door.nameServer.address.split(':')[1]}`, `${friend} ${receiver.port}`],
}
const port = victim.port

if (guarded) {
  for (const { url, expect } of spellings) if (expect === 'refuse') await beHostile(url)
  for (const url of fc.sample(spelledUrl, count)) await beHostile(url)
  for (const index of rounds) {
    await beHostile(`http://rebind-${index}.test:${port}/`)
    await beHostile(`http://mixed-${index}.test:${port}/`)
    await beFriendly()
  }
} else {
  // Nothing but this machine may be reached when the guard is lifted.
  for (const host of ['127.0.0.1', '2130706433', 'loop.test']) await beHostile(`http://${host}:${port}/`)
}
process.stdout.write(JSON.stringify(told))

/** Checked first, as at creation: the names that change their mind are public then, and private when they are connected to. */
async function beHostile(url: string): Promise<void> {
  told.hostile += 1
  await door.checkUrl(url)
  const { outcome } = await door.post(url, { timeout_ms: 2000 })
  if (outcome !== 'refused') told.not_refused += 1
}

async function beFriendly(): Promise<void> {
  told.friendly += 1
  const { outcome } = await door.post(`http://friend.test:${receiver.port}/`)
  if (outcome === 'answered') told.answered += 1
}
