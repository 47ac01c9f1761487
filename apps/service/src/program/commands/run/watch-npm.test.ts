import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { startService } from '../../../../test/service.ts'

const repository = fileURLToPath(new URL('../../../../../../', import.meta.url))

test.each(['SIGTERM', 'SIGKILL'] as const)(
  '`listen` ends when the `npm run` that started it gets %s',
  async (signal) => {
    await using service = await startService()
    const { key } = await service.tenant()
    const { PATH, HOME } = process.env
    const args = ['run', '-s', 'vidimus', '--', 'listen', '--forward-to', 'http://localhost:1/hook']
    const npm = spawn('npm', args, {
      cwd: repository,
      env: { PATH, HOME, VIDIMUS_URL: service.address, VIDIMUS_KEY: key },
    })
    const chunks: string[] = []
    for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk) => chunks.push(String(chunk)))
    await expect.poll(() => chunks.join(''), { timeout: 30_000 }).toContain('Ready.')
    // Closed only when every process that has it is gone.
    const closed = once(npm.stdout, 'close')
    npm.kill(signal)

    await expect(closed).resolves.toBeDefined()
  },
)
