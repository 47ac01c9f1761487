import { buildProgram } from './program-package/build-program.ts'

/** `npm run program`: writes the package that `npm install -g vidimus` installs, after `npm run build`. A folder can be given. */
await buildProgram(process.argv[2] ?? 'apps/service/dist')
