/** The queries in these tests, and the claims that the verifier must obtain. */
export const queries = {
  'dc+sd-jwt': {
    credentials: [
      {
        id: 'pid',
        format: 'dc+sd-jwt',
        meta: { vct_values: ['urn:eudi:pid:1'] },
        claims: [{ path: ['given_name'] }, { path: ['address', 'locality'] }],
      },
    ],
  },
  mso_mdoc: {
    credentials: [
      {
        id: 'mdl',
        format: 'mso_mdoc',
        meta: { doctype_value: 'org.iso.18013.5.1.mDL' },
        claims: ['given_name', 'age_over_18', 'birth_date'].map((name) => ({
          path: ['org.iso.18013.5.1', name],
        })),
      },
    ],
  },
}

export const claims = {
  'dc+sd-jwt': { given_name: 'Erika', address: { locality: 'Köln' } },
  mso_mdoc: { given_name: 'Erika', age_over_18: true, birth_date: '1990-02-03' },
}
