import { z } from 'zod'
import { text } from '../text.ts'
import { TemplateKey } from '../values.ts'
import { Erasure } from '../verifications.ts'
import { dashboardPaths as at } from './paths.ts'
import type { DashboardRoute } from './route.ts'
import {
  DuplicateTemplate,
  TemplateInput,
  LintList,
  TemplateList,
  PutTemplateResult,
  TemplateDetail,
  TemplateTrial,
  TryTemplate,
} from './templates.ts'
import { EnvironmentName } from './values.ts'
import {
  CreatedTestVerification,
  CreateTestVerification,
  FilterVerifications,
  VerificationPage,
  PersonaList,
  RevealedClaims,
  VerificationDetail,
} from './verifications.ts'

const environmentParams = z.object({ environment: EnvironmentName })
const sessionParams = z.object({ environment: EnvironmentName, id: text({ min: 1, max: 128 }) })
const templateParams = z.object({ key: TemplateKey })

/** The second half: verifications and templates. */
export const verificationRoutes = {
  listVerifications: {
    ...at.listVerifications,
    summary: 'Verifications, newest first, without claims',
    may: 'read',
    params: environmentParams,
    query: FilterVerifications,
    success: { status: 200, body: VerificationPage },
  },
  getVerification: {
    ...at.getVerification,
    summary: 'One verification with its timeline and findings, without claims',
    may: 'read',
    params: sessionParams,
    unknown: 'session_not_found',
    success: { status: 200, body: VerificationDetail },
  },
  revealClaims: {
    ...at.revealClaims,
    summary: 'The claims of a verification; audited',
    may: 'read_claims',
    params: sessionParams,
    unknown: 'session_not_found',
    success: { status: 200, body: RevealedClaims },
  },
  eraseVerification: {
    ...at.eraseVerification,
    summary: 'Erase a verification and everything derived from it, for good',
    may: 'erase_verifications',
    params: sessionParams,
    unknown: 'session_not_found',
    success: { status: 200, body: Erasure },
  },
  listPersonas: {
    ...at.listPersonas,
    summary: 'Who can answer a test verification',
    may: 'read',
    success: { status: 200, body: PersonaList },
  },
  createTestVerification: {
    ...at.createTestVerification,
    summary: 'Create a verification in the test environment, and have a persona answer it',
    may: 'create_verifications',
    json: CreateTestVerification,
    success: { status: 201, body: CreatedTestVerification },
    refusals: ['unknown_template', 'quota_exceeded', 'unknown_persona'],
  },
  listTemplates: {
    ...at.listTemplates,
    summary: "The built-in templates and the tenant's own",
    may: 'read',
    success: { status: 200, body: TemplateList },
  },
  getTemplate: {
    ...at.getTemplate,
    summary: 'One template',
    may: 'read',
    params: templateParams,
    unknown: 'template_not_found',
    success: { status: 200, body: TemplateDetail },
  },
  putTemplate: {
    ...at.putTemplate,
    summary: 'Make or change a template; sessions keep what they were created with',
    may: 'manage_templates',
    params: templateParams,
    unknown: 'template_not_found',
    json: TemplateInput,
    success: { status: 200, body: PutTemplateResult },
  },
  duplicateTemplate: {
    ...at.duplicateTemplate,
    summary: 'Copy a template under a key of its own',
    may: 'manage_templates',
    params: templateParams,
    unknown: 'template_not_found',
    json: DuplicateTemplate,
    success: { status: 201, body: TemplateDetail },
    refusals: ['template_exists'],
  },
  lintTemplate: {
    ...at.lintTemplate,
    summary: 'What is wrong with a template, and what could be better',
    may: 'read',
    json: TemplateInput,
    success: { status: 200, body: LintList },
  },
  tryTemplate: {
    ...at.tryTemplate,
    summary: 'Have a persona answer a template in the test environment',
    may: 'create_verifications',
    json: TryTemplate,
    success: { status: 200, body: TemplateTrial },
    refusals: ['unknown_template', 'unknown_persona', 'quota_exceeded'],
  },
} satisfies Record<string, DashboardRoute>
