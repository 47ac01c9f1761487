import { buildDebianPackage } from './debian-package/build-package.ts'

/** `npm run deb`: writes dist/vidimus_VERSION_ARCHITECTURE.deb, after `npm run build`, with the Node that runs this. */
const file = await buildDebianPackage('dist')
process.stdout.write(`${file}\n`)
