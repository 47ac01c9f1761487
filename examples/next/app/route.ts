import { checkoutHeaders, renderCheckout } from '../../checkout-page.ts'
import { createCheck } from './create-check.ts'

const { VIDIMUS_URL = '' } = process.env

export async function GET(): Promise<Response> {
  return new Response(renderCheckout(VIDIMUS_URL, await createCheck()), {
    headers: checkoutHeaders(VIDIMUS_URL),
  })
}
