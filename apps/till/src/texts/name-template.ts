import type { BuiltInTemplateName } from '@vidimus/contract'

/** A label for a button. The API gives a device only the keys, so a merchant's own `club_entry` becomes "Club entry". */
export function nameTemplate(key: string, names: Record<BuiltInTemplateName, string>): string {
  // The key was just looked up.
  if (Object.hasOwn(names, key)) return names[key as BuiltInTemplateName]
  const words = key.replaceAll(/[_.-]+/g, ' ').trim()
  return words === '' ? key : words.charAt(0).toUpperCase() + words.slice(1)
}
