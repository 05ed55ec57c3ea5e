/** An application with a mistake: a field of the pet is misspelled, and nobody looks at the status of the response. */
const { SANDBOX_URL, SANDBOX_KEY } = process.env;

await fetch(`${SANDBOX_URL}/pets`, {
  method: 'POST',
  headers: { Authorization: `Bearer ${SANDBOX_KEY}`, 'Content-Type': 'application/json' },
  body: JSON.stringify({ name: 'Rex', catgoryId: 1 }),
});
process.stdout.write('Saved Rex.\n');
