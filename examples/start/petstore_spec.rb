require 'json'
require 'net/http'

# Call your own client here. `petstore-sandbox exec` sets both variables.
def get(path)
  Net::HTTP.get_response(URI(ENV.fetch('SANDBOX_URL') + path), 'Authorization' => "Bearer #{ENV.fetch('SANDBOX_KEY')}")
end

RSpec.describe 'the petstore' do
  it 'lists the pets that are available' do
    response = get('/pets?status=available&limit=5')
    expect(response.code).to eq('200')
    expect(JSON.parse(response.body).map { |pet| pet['name'] }).to include('Biscuit')
  end
end
