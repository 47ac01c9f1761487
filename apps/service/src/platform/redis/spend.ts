import type { Redis } from 'ioredis'
import { coalesce } from '../coalesce.ts'
import type { Budgets, Draw, Spend, Standing } from '../limits/budgets.ts'

/**
 * KEYS: the budgets that some requests draw on. ARGV: how many requests; for each how many budgets; for each budget its
 * requests and milliseconds. Returns for each budget how often it was drawn on and the time it has left, or nothing
 * further for a request once one of its budgets is spent: those come as -1.
 */
const script = `
local standings = {}
local budget = 0
local requests = tonumber(ARGV[1])
for request = 1, requests do
  local spent = false
  for _ = 1, tonumber(ARGV[1 + request]) do
    budget = budget + 1
    local bound = 1 + requests + budget * 2
    if spent then
      standings[budget * 2 - 1] = -1
      standings[budget * 2] = -1
    else
      local used = redis.call('INCR', KEYS[budget])
      if used == 1 then redis.call('PEXPIRE', KEYS[budget], ARGV[bound]) end
      standings[budget * 2 - 1] = used
      standings[budget * 2] = redis.call('PTTL', KEYS[budget])
      spent = used > tonumber(ARGV[bound - 1])
    end
  end
end
return standings`

const bounds = { maxBatch: 200, maxWaiting: 20_000 }
/** Who waited while Redis did not answer is not made to wait again. */
const failFast_ms = 100

/** Budgets that all nodes share. One round trip for all budgets of all requests that arrive together. */
export function sharedSpender(redis: Redis, budgets: Budgets): Spend {
  redis.defineCommand('spendBudgets', { lua: script })
  const spendBudgets = commandOf(redis)
  let failedAt = Number.NEGATIVE_INFINITY

  return coalesce<readonly Draw[], Standing[]>({
    ...bounds,
    async run(requests) {
      if (performance.now() - failedAt < failFast_ms) throw new Error('Redis did not answer')
      const draws = requests.flat()
      const names = draws.map(({ budget, holder }) => `vidimus:${budget}:${holder}`)
      const limits = draws.flatMap(({ budget }) => [budgets[budget].requests, budgets[budget].seconds * 1000])
      try {
        const sizes = requests.map(({ length }) => length)
        return standingsOf(
          requests,
          await spendBudgets(names.length, ...names, requests.length, ...sizes, ...limits),
        )
      } catch (error) {
        failedAt = performance.now()
        throw error
      }
    },
  })
}

function standingsOf(requests: (readonly Draw[])[], numbers: number[]): Standing[][] {
  let place = 0
  return requests.map((draws) => {
    const standings = draws.map(({ budget }): Standing => {
      const [used = -1, reset_ms = -1] = numbers.slice(place, (place += 2))
      return { budget, used, reset_ms }
    })
    return standings.filter(({ used }) => used >= 0)
  })
}

type SpendBudgets = (count: number, ...rest: (string | number)[]) => Promise<number[]>

/** ioredis adds the command to the client at run time; its types cannot know. The script returns numbers only. */
function commandOf(redis: Redis): SpendBudgets {
  const { spendBudgets } = redis as Redis & { spendBudgets?: SpendBudgets }
  if (spendBudgets === undefined) throw new Error('ioredis did not define the command')
  return spendBudgets.bind(redis)
}
