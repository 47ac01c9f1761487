/** The label of an action. A page that is older than the service derives one from a new action's code. */
export function actionLabel(action: string, labels: Readonly<Record<string, string>>): string {
  const label = Object.hasOwn(labels, action) ? labels[action] : undefined
  const plain = action.replaceAll(/[._]/g, ' ')
  return label ?? plain.replace(/^./, (letter) => letter.toUpperCase())
}
