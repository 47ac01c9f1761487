/** Asks, or says `undefined` when so many different questions are open that one more would be too many. */
export type Ask<Answer> = (question: string) => Promise<Answer> | undefined

type Turn<Answer> = { over: Promise<void>; next?: Promise<Answer> }

/**
 * Lets equal questions that arrive together share one answer. A question never joins one that was already put: it shares
 * the next, so that every answer is younger than its question and nothing has to be remembered.
 */
export function shareQuestions<Answer>(
  put: (question: string) => Promise<Answer>,
  most: number,
): Ask<Answer> {
  const turns = new Map<string, Turn<Answer>>()

  function begin(question: string): Promise<Answer> {
    const answer = put(question)
    const end = () => {
      if (turn.next === undefined) turns.delete(question)
    }
    const turn: Turn<Answer> = { over: answer.then(end, end) }
    turns.set(question, turn)
    return answer
  }

  return (question) => {
    const turn = turns.get(question)
    if (turn !== undefined) return (turn.next ??= turn.over.then(() => begin(question)))
    return turns.size < most ? begin(question) : undefined
  }
}
