import { buildProgram } from './program-package/build-program.ts'

/** `npm run program`: writes the package that `npm install -g vidimus` installs, after `npm run build`. */
buildProgram('apps/service/dist')
