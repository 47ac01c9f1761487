import { buildComponent } from './build-package.ts'

const { file, integrity } = await buildComponent(new URL('dist/', import.meta.url))
process.stdout.write(`${file} ${integrity}\n`)
