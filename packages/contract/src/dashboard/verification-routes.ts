import { z } from 'zod'
import { text } from '../text.ts'
import { Erasure, VerificationIdParam } from '../verifications.ts'
import { dashboardPaths as at } from './paths.ts'
import { ListReceipts, Receipt, ReceiptPage, Report, ReportPeriod } from './receipts.ts'
import type { DashboardRoute } from './route.ts'
import {
  DuplicateTemplate,
  TemplateInput,
  TemplateLintInput,
  LintList,
  TemplateList,
  PutTemplateResult,
  TemplateDetail,
  TemplateKeyParam,
  TemplateTrial,
  TryTemplate,
} from './templates.ts'
import { EmptyResponse, EnvironmentName } from './values.ts'
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
const verificationParams = z.object({ environment: EnvironmentName, id: text({ min: 1, max: 128 }) })
const templateParams = z.object({ key: TemplateKeyParam })

/** Verifications and templates. */
export const verificationRoutes = {
  listVerifications: {
    ...at.listVerifications,
    summary: 'List verifications, newest first, without claims',
    may: 'read',
    params: environmentParams,
    query: FilterVerifications,
    success: { status: 200, body: VerificationPage },
  },
  getVerification: {
    ...at.getVerification,
    summary: 'Get a verification with its timeline and findings, without claims',
    may: 'read',
    params: verificationParams,
    not_found: 'session_not_found',
    success: { status: 200, body: VerificationDetail },
  },
  revealClaims: {
    ...at.revealClaims,
    summary: 'Reveal the claims of a verification; audited',
    may: 'read_claims',
    confirmed: false,
    params: verificationParams,
    not_found: 'session_not_found',
    success: { status: 200, body: RevealedClaims },
  },
  getReceipt: {
    ...at.getReceipt,
    summary: 'Get the receipt of a verification, for an inspector; without claims',
    may: 'read',
    params: z.object({ environment: EnvironmentName, id: VerificationIdParam }),
    not_found: 'session_not_found',
    success: { status: 200, body: Receipt },
    refusals: ['receipt_not_ready'],
  },
  listReceipts: {
    ...at.listReceipts,
    summary: 'List the receipts of the verifications of one day',
    may: 'read',
    params: environmentParams,
    query: ListReceipts,
    success: { status: 200, body: ReceiptPage },
  },
  getReport: {
    ...at.getReport,
    summary: 'Report a period: counts, changes and a sample of receipts',
    may: 'read_audit',
    params: environmentParams,
    query: ReportPeriod,
    success: { status: 200, body: Report },
  },
  eraseVerification: {
    ...at.eraseVerification,
    summary: 'Permanently erase a verification and everything derived from it',
    may: 'erase_verifications',
    confirmed: false,
    params: verificationParams,
    not_found: 'session_not_found',
    success: { status: 200, body: Erasure },
  },
  listPersonas: {
    ...at.listPersonas,
    summary: 'List the personas that can respond to a test verification',
    may: 'read',
    success: { status: 200, body: PersonaList },
  },
  createTestVerification: {
    ...at.createTestVerification,
    summary: 'Create a test verification, optionally with a persona that responds',
    may: 'create_verifications',
    confirmed: false,
    json: CreateTestVerification,
    success: { status: 201, body: CreatedTestVerification },
    refusals: [
      'unknown_template',
      'registration_exceeded',
      'tenant_suspended',
      'tenant_not_approved',
      'quota_exceeded',
      'unknown_persona',
    ],
  },
  listTemplates: {
    ...at.listTemplates,
    summary: "List the built-in templates and the tenant's own",
    may: 'read',
    success: { status: 200, body: TemplateList },
  },
  getTemplate: {
    ...at.getTemplate,
    summary: 'Get a template',
    may: 'read',
    params: templateParams,
    not_found: 'template_not_found',
    success: { status: 200, body: TemplateDetail },
  },
  putTemplate: {
    ...at.putTemplate,
    summary: 'Create or change a template; existing verifications keep the version they were created with',
    may: 'manage_templates',
    confirmed: false,
    params: templateParams,
    not_found: 'template_not_found',
    json: TemplateInput,
    success: { status: 200, body: PutTemplateResult },
    refusals: ['invalid_template', 'too_many'],
  },
  deleteTemplate: {
    ...at.deleteTemplate,
    summary: 'Delete a template; existing verifications keep the version they were created with',
    may: 'manage_templates',
    confirmed: false,
    params: templateParams,
    not_found: 'template_not_found',
    success: { status: 200, body: EmptyResponse },
    refusals: ['template_in_use', 'invalid_request'],
  },
  duplicateTemplate: {
    ...at.duplicateTemplate,
    summary: 'Copy a template to a new key',
    may: 'manage_templates',
    confirmed: false,
    params: templateParams,
    not_found: 'template_not_found',
    json: DuplicateTemplate,
    success: { status: 201, body: TemplateDetail },
    refusals: ['template_exists'],
  },
  lintTemplate: {
    ...at.lintTemplate,
    summary: 'Check a template for errors, possible improvements and claims outside its registration',
    may: 'read',
    json: TemplateLintInput,
    success: { status: 200, body: LintList },
    refusals: ['registration_not_found'],
  },
  tryTemplate: {
    ...at.tryTemplate,
    summary: 'Try a template with a persona in the test environment',
    may: 'create_verifications',
    confirmed: false,
    json: TryTemplate,
    success: { status: 200, body: TemplateTrial },
    refusals: [
      'unknown_template',
      'registration_exceeded',
      'unknown_persona',
      'tenant_suspended',
      'tenant_not_approved',
      'quota_exceeded',
    ],
  },
} satisfies Record<string, DashboardRoute>
