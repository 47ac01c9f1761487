import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startProcesses } from '../../test/processes/processes.ts'
import { runCommand } from '../../test/processes/run-command.ts'
import { runProgram } from '../../test/processes/run-program.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))

test.each(['--version', '-v', 'admin tenant create --version'])(
  '`vidimus %s` prints the version',
  async (args) => {
    expect(await runProgram(args.split(' '), {})).toEqual({
      status: 0,
      stdout: `vidimus ${version}\n`,
      stderr: '',
    })
  },
)

test('--help and -h list the commands, and so does the program without arguments', async () => {
  const [long, short, none] = await Promise.all([['--help'], ['-h'], []].map((args) => runProgram(args, {})))
  expect(long?.stdout).toMatch(/^vidimus <command> \[options\]\n\n {2}dev /)
  expect(long?.stdout.match(/^ {2}\w/gm)?.length).toBeLessThanOrEqual(20)
  expect(long).toMatchObject({ status: 0, stderr: '' })
  expect([short, none]).toEqual([long, long])
})

test.each([
  ['listen --help', 'vidimus listen [options]'],
  ['listen -h', 'vidimus listen [options]'],
  ['help listen', 'vidimus listen [options]'],
  ['--help listen', 'vidimus listen [options]'],
  ['admin tenant create --name x --help', 'vidimus admin tenant create [options]'],
  ['wallet respond --help', 'vidimus wallet respond WALLET_URI [options]'],
  ['admin tenant --help', 'vidimus admin tenant <command> [options]'],
  ['help admin tenant', 'vidimus admin tenant <command> [options]'],
  ['admin tenant', 'vidimus admin tenant <command> [options]'],
])('`vidimus %s` explains it, without any configuration', async (args, first) => {
  const { status, stdout, stderr } = await runCommand(args.split(' '), {})
  expect([status, stdout.split('\n')[0], stderr]).toEqual([0, first, ''])
})

test.each([
  ['lisen', 'Did you mean `vidimus listen`?'],
  ['tenant create --name x', 'Did you mean `vidimus admin tenant create`?'],
  ['tenant creat', 'Did you mean `vidimus admin tenant create`?'],
  ['help audit verify', 'Did you mean `vidimus admin audit verify`?'],
  ['canary --url x', 'Did you mean `vidimus admin canary`?'],
  ['keyring', 'Did you mean `vidimus admin keyring`?'],
  ['template put --file x', 'Use `vidimus config apply`, the API or the dashboard.'],
  ['tenant set', 'Use `vidimus config apply`, the API or the dashboard.'],
])('`vidimus %s` is refused in a line, with what to use instead', async (args, hint) => {
  const { status, stdout, stderr } = await runCommand(args.split(' '), {})
  expect([status, stdout]).toEqual([2, ''])
  expect(stderr).toMatch(/^Unknown command: .+\n$/)
  expect(stderr).toContain(`. ${hint} Run`)
})

test.each(['something', 'help admin tenant nothing'])(
  '`vidimus %s` is refused without a guess',
  async (args) => {
    const words = args.replace('help ', '')
    const stderr = `Unknown command: ${words}. Run \`vidimus help\` for a list.\n`
    expect(await runCommand(args.split(' '), {})).toEqual({ status: 2, stdout: '', stderr })
  },
)

test('what runs in the process of a test has the exit status and the output of a process', async () => {
  const runs = [
    ['--version'],
    ['help', 'admin', 'tenant'],
    ['admin', 'tenant', 'create'],
    ['admin', 'tenant', 'list'],
    ['lisen'],
  ]
  const environment = { MASTER_KEY: 'short' }
  const results = await Promise.all(runs.map((args) => runCommand(args, environment)))

  expect(results.map(({ status }) => status)).toEqual([0, 0, 2, 1, 2])
  expect(results).toEqual(await Promise.all(runs.map((args) => runProgram(args, environment))))
  expect(process.env['MASTER_KEY']).toBeUndefined()
})

test('a reader that has enough ends a command without a stack', () => {
  const script = '"$0" apps/service/src/main.ts wallet faults | true; echo "${PIPESTATUS[0]}"'
  const { stdout, stderr } = spawnSync('bash', ['-c', script, process.execPath], { encoding: 'utf8' })

  expect([stdout, stderr]).toEqual(['141\n', ''])
})

test("serve sets V8's flags for memory in the same process, except those of NODE_OPTIONS", async () => {
  const readCommand = async (environment: Record<string, string>) => {
    await using service = await startProcesses(1, { environment })
    const [started] = service.processes
    expect((await fetch(`${started?.address}/healthz`)).status).toBe(200)
    return readFileSync(`/proc/${started?.child.pid}/cmdline`, 'utf8').split('\0').slice(1, -1)
  }

  const bounded = await readCommand({})
  const pretenuring = '--no-allocation-site-pretenuring'
  expect([...bounded.slice(0, 2), bounded.at(-1)]).toEqual(['--max-semi-space-size=16', pretenuring, 'serve'])
  const sized = await readCommand({ NODE_OPTIONS: '--max-semi-space-size=64' })
  expect(sized).toEqual([pretenuring, expect.stringMatching(/main\.[jt]s$/), 'serve'])
})
