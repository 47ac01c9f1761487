import { spawnSync } from 'node:child_process'
import { readdirSync, rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Page, PageScreenshotOptions } from 'playwright-core'
import * as run from '../../apps/service/test/prepare-run.ts'
import * as temporaryFolder from '../../apps/service/test/temporary-folder.ts'
import { closeBrowser, openBrowser } from '../fixture/browser.ts'
import { closeDashboard } from '../fixture/dashboard-fixture.ts'
import { brandHolderPage, startHolderFixture, type HolderFixture } from '../fixture/holder-fixture.ts'
import { seed } from '../fixture/seed.ts'
import * as build from '../require-build.ts'
import { consolePictures, takeConsolePictures } from './console-pictures.ts'
import { pictures } from './pictures.ts'

/**
 * `npm run images`: takes the pictures of the documents anew, from a service with sample data, and removes those that are no longer
 * declared here; `npm run images console` takes those of the console only. Needs what `npm run e2e` needs, and the Debian package pngquant, which reduces their colours.
 */
const folder = fileURLToPath(new URL('../../docs/images', import.meta.url))

build.setup()
temporaryFolder.setup()
await run.setup()
try {
  if (process.argv[2] !== 'console') await takePictures()
  await takeConsolePictures(takePicture)
  removeOthers()
} finally {
  await closeBrowser()
  await run.teardown()
  temporaryFolder.teardown()
}

async function takePictures(): Promise<void> {
  const fixture = await startHolderFixture()
  await using stack = new AsyncDisposableStack()
  stack.defer(() => closeDashboard(fixture))
  const member = await fixture.signIn({ email: 'marta.keller@harbour.example' })
  const pages = await seed(fixture)
  await brandHolderPage(fixture)
  await deleteEndpoints(fixture)
  const till = await openBrowser({ address: fixture.address, scale: 0.5 })
  await till.page.setViewportSize({ width: 768, height: 1024 })
  for (const [name, steps] of Object.entries(pictures)) {
    const { page, ...options } = await steps({ fixture, pages, member: member.page, till })
    await takePicture(name, page, options)
  }
}

async function takePicture(name: string, page: Page, options: PageScreenshotOptions = {}): Promise<void> {
  await page.mouse.move(0, 0)
  await page.evaluate('document.fonts.ready')
  // Once, a picture taken as soon as the heading was there was empty.
  await sleep(500)
  const path = `${folder}/${name}.png`
  await page.screenshot({ path, animations: 'disabled', ...options })
  reducePalette(path)
  console.log(name)
}

function removeOthers(): void {
  const names = new Set([...Object.keys(pictures), ...consolePictures])
  for (const file of readdirSync(folder))
    if (file.endsWith('.png') && !names.has(file.slice(0, -4))) rmSync(`${folder}/${file}`)
}

/** Their receivers cannot be reached, which would fill the overview with warnings. */
async function deleteEndpoints({ merchant }: HolderFixture): Promise<void> {
  const { body } = await merchant.get('/v1/webhook_endpoints')
  for (const { id } of body.data) await merchant.delete(`/v1/webhook_endpoints/${id}`)
}

function reducePalette(path: string): void {
  const options = ['--force', '--nofs', '--strip', '--speed=1', '--output', path]
  const { status, error } = spawnSync('pngquant', [...options, '128', path])
  if (error !== undefined || status !== 0)
    throw new Error('pngquant failed. Install it: apt-get install pngquant', { cause: error })
}
