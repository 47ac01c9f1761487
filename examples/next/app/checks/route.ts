import { createCheck } from '../create-check.ts'

export async function POST(): Promise<Response> {
  const { id, wallet_uri } = await createCheck()
  return Response.json({ id, wallet_uri }, { status: 201 })
}
