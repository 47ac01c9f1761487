import { createCheck } from '../../../shop.ts'
import { respondWithFailure } from '../answer-failure.ts'

export async function POST(): Promise<Response> {
  try {
    const { id, wallet_uri } = await createCheck()
    return Response.json({ id, wallet_uri }, { status: 201 })
  } catch (error) {
    return respondWithFailure(error)
  }
}
