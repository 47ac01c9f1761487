import { checkoutHeaders, renderCheckout } from '../../checkout-page.ts'
import { createCheck, serviceUrl } from '../../shop.ts'
import { respondWithFailure } from './answer-failure.ts'

export async function GET(): Promise<Response> {
  try {
    return new Response(renderCheckout(serviceUrl, await createCheck()), {
      headers: checkoutHeaders(serviceUrl),
    })
  } catch (error) {
    return respondWithFailure(error)
  }
}
