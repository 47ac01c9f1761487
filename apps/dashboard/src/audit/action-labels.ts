import type { Texts } from '../texts/languages.ts'

type ActionTexts = Texts['audit']['actions']

/** The label of an action. A page that is older than the service derives one from a new action's code. */
export function actionLabel(action: string, labels: ActionTexts): string {
  if (isKnownAction(action, labels)) return labels[action]
  const plain = action.replaceAll(/[._]/g, ' ')
  return plain.replace(/^./, (letter) => letter.toUpperCase())
}

function isKnownAction(action: string, labels: ActionTexts): action is keyof ActionTexts {
  return Object.hasOwn(labels, action)
}
