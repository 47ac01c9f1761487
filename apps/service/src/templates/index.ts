export { assignRegistration } from './lint.ts'
export { type TemplateContext, insertBuiltInTemplates, openBuiltInTemplates } from './open-built-in.ts'
export { checkOwnTemplate, deleteTemplate, keepTemplates, putTemplate } from './put-template.ts'
export {
  bindVersion,
  findDisclosingTemplate,
  findSealableTemplate,
  insertVersion,
  readVersion,
  refuseInput,
  requireNoInput,
  requireTemplates,
  resolveTemplate,
  unknownTemplate,
} from './resolve-template.ts'
export { exportTemplates, listTemplates } from './list-templates.ts'
