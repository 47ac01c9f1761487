import { compare, median, round, type Figure } from './figure.ts'
import { cpuTime, rate } from './verification.ts'

/** Verifies one presentation, and throws when it is not right. */
type Verify = (presentation: string) => Promise<unknown>

type Contest = {
  presentation: string
  /** An answer to another request, which every verifier must refuse. */
  replayed: string
  verifiers: { protocol: Verify } & Record<string, Verify>
}

const rounds = 5
const unit = '1/s of CPU'

/** Ours as it is, the others as what ours is compared with: a ratio above 1 says how many times as fast ours is. */
export async function contest(
  name: string,
  { presentation, replayed, verifiers }: Contest,
): Promise<Figure[]> {
  const contestants = Object.entries(verifiers)
  for (const [contestant, verify] of contestants) {
    await verify(presentation)
    if (!(await refuses(verify, replayed))) throw new Error(`${contestant} accepts what it must refuse`)
  }
  const rates = new Map<string, number[]>(contestants.map(([contestant]) => [contestant, []]))
  for (let turn = 0; turn < rounds; turn += 1) {
    for (const [contestant, verify] of contestants)
      rates.get(contestant)?.push(await rate(async () => void (await verify(presentation))))
  }
  const value = median(rates.get('protocol') ?? [])
  return contestants.map(([contestant]) =>
    contestant === 'protocol'
      ? { name: `${name}.protocol`, value: round(value), unit }
      : compare(`${name}.${contestant}`, unit, { value, bare: median(rates.get(contestant) ?? []) }),
  )
}

/** Verifications that can each be had only once, since whatever they verify is remembered afterwards. */
export function once(name: string, verifications: readonly (() => void)[]): Figure {
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
