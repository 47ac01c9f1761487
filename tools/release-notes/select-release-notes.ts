/** The text below a version's heading, `## [0.1.0] - 2027-01-15`. A tag without a dated section is an error: write the section first. */
export function selectReleaseNotes(changelog: string, tag: string): string {
  const version = tag.replace(/^v/, '')
  const sections = changelog.split(/^## /m)
  const section = sections.find((text) => text.startsWith(`[${version}] - `))
  if (section === undefined) throw new Error(`CHANGELOG.md has no section "## [${version}] - date".`)
  return section.slice(section.indexOf('\n')).trimStart()
}
