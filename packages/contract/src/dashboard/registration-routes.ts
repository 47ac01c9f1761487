import { z } from 'zod'
import { dashboardPaths as at } from './paths.ts'
import {
  AddRegistration,
  AssignRegistration,
  ChangeRegistration,
  ChangeRegistrationSettings,
  RegistrationDetail,
  RegistrationId,
  RegistrationInput,
  RegistrationList,
  RegistrationPreview,
} from './registrations.ts'
import type { DashboardRoute } from './route.ts'
import { TemplateDetail, TemplateKeyParam } from './templates.ts'

const idParams = z.object({ id: RegistrationId })

/** Registrations: under which intended uses a tenant asks. */
export const registrationRoutes = {
  listRegistrations: {
    ...at.listRegistrations,
    summary: 'List the registrations, the default first',
    may: 'read',
    success: { status: 200, body: RegistrationList },
  },
  readRegistration: {
    ...at.readRegistration,
    summary: 'Check a registration certificate without storing it',
    may: 'manage_settings',
    confirmed: false,
    json: RegistrationInput,
    success: { status: 200, body: RegistrationPreview },
    refusals: ['invalid_request', 'overloaded'],
  },
  addRegistration: {
    ...at.addRegistration,
    summary: 'Check a registration certificate and store it for new verifications',
    may: 'manage_settings',
    confirmed: false,
    json: AddRegistration,
    success: { status: 201, body: RegistrationDetail },
    refusals: [
      'invalid_request',
      'registration_not_accepted',
      'registration_exists',
      'too_many',
      'overloaded',
    ],
  },
  getRegistration: {
    ...at.getRegistration,
    summary: 'Get a registration with what its last check found',
    may: 'read',
    params: idParams,
    not_found: 'registration_not_found',
    success: { status: 200, body: RegistrationDetail },
  },
  changeRegistration: {
    ...at.changeRegistration,
    summary: 'Rename a registration or make it the default; absent members stay unchanged',
    may: 'manage_settings',
    confirmed: false,
    params: idParams,
    not_found: 'registration_not_found',
    json: ChangeRegistration,
    success: { status: 200, body: RegistrationDetail },
  },
  checkRegistration: {
    ...at.checkRegistration,
    summary:
      'Check a registration again now: its end, its status list, and the access certificate it belongs to',
    may: 'manage_settings',
    confirmed: false,
    params: idParams,
    not_found: 'registration_not_found',
    success: { status: 200, body: RegistrationDetail },
    refusals: ['overloaded'],
  },
  removeRegistration: {
    ...at.removeRegistration,
    summary: 'Remove a registration that no template names; open verifications keep it',
    may: 'manage_settings',
    confirmed: false,
    params: idParams,
    not_found: 'registration_not_found',
    success: { status: 200, body: RegistrationList },
    refusals: ['registration_in_use'],
  },
  changeRegistrationSettings: {
    ...at.changeRegistrationSettings,
    summary:
      'Change how requests carry registrations, and what happens when a query asks for more than one covers',
    may: 'manage_settings',
    confirmed: true,
    json: ChangeRegistrationSettings,
    success: { status: 200, body: RegistrationList },
  },
  assignRegistration: {
    ...at.assignRegistration,
    summary: 'Choose the registration that a template is asked under, or the default',
    may: 'manage_templates',
    confirmed: false,
    params: z.object({ key: TemplateKeyParam }),
    not_found: 'template_not_found',
    json: AssignRegistration,
    success: { status: 200, body: TemplateDetail },
    refusals: ['registration_not_found'],
  },
} satisfies Record<string, DashboardRoute>
