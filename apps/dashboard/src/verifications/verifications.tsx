export function Verifications() {
  return null
}
