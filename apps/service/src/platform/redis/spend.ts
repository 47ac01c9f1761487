import type { Redis } from 'ioredis'
import { coalesce } from '../coalesce.ts'
import type { Budgets, Draw, Spend, Standing } from '../limits/budgets.ts'
import { replaceConnection } from './open.ts'

/**
 * KEYS: the budgets that some requests draw on, each once. ARGV[1]: for each budget its requests and milliseconds. ARGV[2]:
 * for each request, up to a semicolon, the budgets it draws on in their order. Returns the time that each budget has left,
 * then for each draw how often its budget was drawn on; -1 stands for a draw behind one that found its budget spent.
 * However many requests arrive together, a budget is read once and written once.
 */
const script = `
local most, length = {}, {}
for requests, ms in string.gmatch(ARGV[1], '(%d+) (%d+)') do
  most[#most + 1] = tonumber(requests)
  length[#length + 1] = ms
end
local before, used = {}, {}
for place, name in ipairs(KEYS) do
  before[place] = tonumber(redis.call('GET', name) or 0)
  used[place] = before[place]
end
local standings = {}
for request in string.gmatch(ARGV[2], '[^;]+') do
  local spent = false
  for digits in string.gmatch(request, '%d+') do
    local place = tonumber(digits)
    if spent then
      standings[#standings + 1] = -1
    else
      used[place] = used[place] + 1
      standings[#standings + 1] = used[place]
      spent = used[place] > most[place]
    end
  end
end
local answer = {}
for place, name in ipairs(KEYS) do
  if used[place] > before[place] then redis.call('INCRBY', name, used[place] - before[place]) end
  if before[place] == 0 and used[place] > 0 then redis.call('PEXPIRE', name, length[place]) end
  answer[place] = redis.call('PTTL', name)
end
for draw = 1, #standings do answer[#KEYS + draw] = standings[draw] end
return answer`

export const bounds = { maxBatch: 200, maxWaiting: 20_000 }
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
      const { names, limits, draws } = together(requests, budgets)
      try {
        const numbers = await spendBudgets(names.size, ...names.keys(), limits, draws)
        return standingsOf(requests, { numbers, names })
      } catch (error) {
        failedAt = performance.now()
        replaceConnection(redis)
        throw error
      }
    },
  })
}

/** The budgets of all requests, each with its place, and what the script is told of them. */
function together(requests: (readonly Draw[])[], budgets: Budgets) {
  const names = new Map<string, number>()
  let limits = ''
  let draws = ''
  for (const request of requests) {
    for (const draw of request) {
      const name = nameOf(draw)
      let place = names.get(name)
      if (place === undefined) {
        place = names.size + 1
        names.set(name, place)
        limits += `${budgets[draw.budget].requests} ${budgets[draw.budget].seconds * 1000} `
      }
      draws += `${place} `
    }
    draws += ';'
  }
  return { names, limits, draws }
}

function nameOf({ budget, holder }: Draw): string {
  return `vidimus:${budget}:${holder}`
}

function standingsOf(
  requests: (readonly Draw[])[],
  { numbers, names }: { numbers: number[]; names: Map<string, number> },
): Standing[][] {
  let next = names.size
  return requests.map((request) => {
    const standings: Standing[] = []
    for (const draw of request) {
      const used = numbers[next] ?? -1
      next += 1
      if (used < 0) continue
      const place = names.get(nameOf(draw)) ?? 0
      standings.push({ budget: draw.budget, used, reset_ms: numbers[place - 1] ?? 0 })
    }
    return standings
  })
}

type SpendBudgets = (count: number, ...rest: string[]) => Promise<number[]>

/** ioredis adds the command to the client at run time; its types cannot know. The script returns numbers only. */
function commandOf(redis: Redis): SpendBudgets {
  const { spendBudgets } = redis as Redis & { spendBudgets?: SpendBudgets }
  if (spendBudgets === undefined) throw new Error('ioredis did not define the command')
  return spendBudgets.bind(redis)
}
