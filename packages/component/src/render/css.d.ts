/** The build replaces the import of a style sheet by its text. */
declare module '*.css' {
  const text: string
  export default text
}
