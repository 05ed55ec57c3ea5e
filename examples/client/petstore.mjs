/** A client of the petstore service as an application would have one: two calls, and errors with the service's words. */
export const petstoreClient = ({ baseUrl, key }) => {
  const call = async (path, options = {}) => {
    const response = await fetch(`${baseUrl}${path}`, {
      ...options,
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    });
    const body = await response.json();
    if (!response.ok) throw Object.assign(new Error(body.message), { code: body.code, status: body.status });
    return body;
  };
  return {
    listPets: (query = {}) => call(`/pets?${new URLSearchParams(query)}`),
    createPet: (pet) => call('/pets', { method: 'POST', body: JSON.stringify(pet) }),
  };
};
