import { explainFailure } from '../../shop.ts'

/** A refused request as a sentence. A mistake in the program itself is thrown again, and Next.js shows it. */
export function respondWithFailure(error: unknown): Response {
  const sentence = explainFailure(error)
  if (sentence === undefined) throw error
  return new Response(sentence, { status: 502, headers: { 'content-type': 'text/plain; charset=utf-8' } })
}
