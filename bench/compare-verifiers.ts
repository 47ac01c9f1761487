import { compare, round, summarize, type Figure } from './figure.ts'
import { cpuTime, rate } from './verification.ts'

/** Verifies one presentation and throws if it is invalid. */
type Verify = (presentation: string) => Promise<unknown>

type VerifierComparison = {
  presentation: string
  /** A response to another request, which every verifier must reject. */
  replayed: string
  verifiers: { protocol: Verify } & Record<string, Verify>
}

const rounds = 5
const unit = '1/s of CPU'

/** Compares our verifier with each of the others: a ratio above 1 says how many times as fast ours is. */
export async function compareVerifiers(
  name: string,
  { presentation, replayed, verifiers }: VerifierComparison,
): Promise<Figure[]> {
  const verifierEntries = Object.entries(verifiers)
  for (const [verifierName, verify] of verifierEntries) {
    await verify(presentation)
    if (!(await refuses(verify, replayed))) throw new Error(`${verifierName} accepts a replayed presentation`)
  }
  const rates = new Map<string, number[]>(verifierEntries.map(([verifierName]) => [verifierName, []]))
  for (let turn = 0; turn < rounds; turn += 1) {
    for (const [verifierName, verify] of verifierEntries)
      rates.get(verifierName)?.push(await rate(async () => void (await verify(presentation))))
  }
  const values = rates.get('protocol') ?? []
  return verifierEntries.map(([verifierName]) =>
    verifierName === 'protocol'
      ? summarize(`${name}.protocol`, unit, values)
      : compare(`${name}.${verifierName}`, unit, { values, bare: rates.get(verifierName) ?? [] }),
  )
}

/** Measures verifications that run only once each, because their results are cached afterwards. */
export function measureOnce(name: string, verifications: readonly (() => void)[]): Figure {
  const began = process.cpuUsage()
  for (const verify of verifications) verify()
  return { name, value: round((verifications.length / cpuTime(began)) * 1e6), unit }
}

function refuses(verify: Verify, presentation: string): Promise<boolean> {
  return verify(presentation).then(
    () => false,
    () => true,
  )
}
