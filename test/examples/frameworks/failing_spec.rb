require_relative 'petstore_sandbox'

RSpec.describe 'pets', petstore_sandbox: 'empty' do
  def get(path)
    Net::HTTP.get(URI(petstore_sandbox.url + path), { 'Authorization' => "Bearer #{petstore_sandbox.key}" })
  end

  it 'good' do
    expect(get('/pets')).to eq '[]'
    petstore_sandbox.verify(operation: 'listPets', exactly: 1)
    get('/pets?limit=500')
    petstore_sandbox.expected_invalid = 'listPets:400'
  end

  it('contract') { get('/pets?limit=500') }

  it('own') { expect(get('/pets')).to eq 'something else' }

  it 'verified' do
    get('/pets')
    petstore_sandbox.verify(operation: 'listPets', exactly: 2)
  end
end
