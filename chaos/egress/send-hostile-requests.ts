import fc from 'fast-check'
import { openEgressFixture } from '../../apps/service/test/network/egress-fixture.ts'
import { reply, startReceiver } from '../../apps/service/test/network/receiver.ts'
import { spelledUrl, spellings, spellingsZone } from '../../apps/service/test/network/spell-addresses.ts'

/** What this process did, reported to the run that traces it. */
export type HostileRequestsSummary = {
  hostile: number
  /** Hostile requests that were not refused. */
  not_refused: number
  friendly: number
  responded: number
  /** Addresses that connections are allowed to, such as `127.0.0.1 53124`. */
  expected: string[]
}

const count = Number(process.argv[2])
const guarded = process.argv[3] === 'guarded'

/** The allowed receiver has an address of its own; the one on 127.0.0.1 must never be reached. */
const allowedAddress = '127.0.0.2'
await using receiver = await startReceiver(reply(200), { host: allowedAddress })
await using forbiddenReceiver = await startReceiver(reply(200))

const privateIpv4 = ['127.0.0.1', '10.0.0.1', '169.254.169.254', '100.64.0.1', '192.168.0.1', '0.0.0.0']
const privateIpv6 = [
  '::1',
  '::ffff:127.0.0.1',
  '64:ff9b::7f00:1',
  '2002:7f00:1::',
  'fe80::1',
  'fd00::1',
  '2001::1',
]
const privateAddresses = [...privateIpv4, ...privateIpv6]
const privateAddress = (index: number) => privateAddresses[index % privateAddresses.length] ?? ''
const rounds = Array.from({ length: Math.ceil(count / 5) }, (_, index) => index)
await using egress = await openEgressFixture(
  {
    ...spellingsZone,
    'friend.test': [allowedAddress],
    ...Object.fromEntries(
      rounds.flatMap((index) => [
        [
          `rebind-${index}.test`,
          ({ count: lookups }: { count: number }) => [lookups === 1 ? '8.8.8.8' : privateAddress(index)],
        ],
        [`mixed-${index}.test`, [allowedAddress, privateAddress(index)]],
      ]),
    ),
  },
  ...(guarded ? [`${allowedAddress}/32`] : ['127.0.0.0/8']),
)

const summary: HostileRequestsSummary = {
  hostile: 0,
  not_refused: 0,
  friendly: 0,
  responded: 0,
  expected: [`127.0.0.1 ${egress.nameServer.address.split(':')[1]}`, `${allowedAddress} ${receiver.port}`],
}
const port = forbiddenReceiver.port

if (guarded) {
  for (const { url, expect } of spellings) if (expect === 'refuse') await sendHostile(url)
  for (const url of fc.sample(spelledUrl, count)) await sendHostile(url)
  for (const index of rounds) {
    await sendHostile(`http://rebind-${index}.test:${port}/`)
    await sendHostile(`http://mixed-${index}.test:${port}/`)
    await sendAllowed()
  }
} else {
  // Without the guard only loopback addresses are tried.
  for (const host of ['127.0.0.1', '2130706433', 'loop.test']) await sendHostile(`http://${host}:${port}/`)
}
process.stdout.write(JSON.stringify(summary))

/** Checks the URL first, as creating a verification does: rebinding names resolve to a public address then and to a private one on connection. */
async function sendHostile(url: string): Promise<void> {
  summary.hostile += 1
  await egress.checkUrl(url)
  const { outcome } = await egress.post(url, { timeout_ms: 2000 })
  if (outcome !== 'refused') summary.not_refused += 1
}

async function sendAllowed(): Promise<void> {
  summary.friendly += 1
  const { outcome } = await egress.post(`http://friend.test:${receiver.port}/`)
  if (outcome === 'responded') summary.responded += 1
}
