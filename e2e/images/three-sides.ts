import type { Page } from 'playwright-core'

/** Arranges the screens of holder, till and dashboard on a light panel, whose corners let the page behind show through. */
export async function composeSides(
  page: Page,
  screens: { dashboard: Buffer; phone: Buffer; till: Buffer },
): Promise<void> {
  await page.setViewportSize({ width: 800, height: 450 })
  const figures = Object.entries(screens).map(
    ([name, png]) => `<img class="${name}" src="data:image/png;base64,${png.toString('base64')}" alt="">`,
  )
  await page.setContent(`<style>${style}</style><main>${figures.join('')}</main>`)
}

const style = `
  body { margin: 0; background: transparent }
  main { position: relative; height: 450px; border-radius: 14px; background: #eef1f4 }
  img { position: absolute; box-sizing: border-box; box-shadow: 0 4px 14px #1b273430 }
  .dashboard { left: 132px; top: 26px; width: 520px; border: 1px solid #c9d1d9; border-radius: 6px }
  .phone { left: 28px; top: 70px; width: 170px; border: 5px solid #1b2734; border-radius: 18px }
  .till { right: 28px; top: 130px; width: 220px; border: 7px solid #1b2734; border-radius: 12px }
`
