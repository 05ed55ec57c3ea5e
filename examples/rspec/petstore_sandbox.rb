# A petstore sandbox for each example. Copy this file to `spec/`, and run: `npx petstore-sandbox exec --start -- rspec`.
#
#   require_relative 'petstore_sandbox'
#   RSpec.describe PetClient, petstore_sandbox: 'empty' do  # the fixture, or true for the server's default
#     it 'creates a pet' do
#       PetClient.new(petstore_sandbox.url, petstore_sandbox.key).create('Rex')
#       petstore_sandbox.verify(operation: 'createPet', status: 201, exactly: 1)
#     end
#   end
#
# An example fails if its client fails the contract check. The recording of a failed example is in `artifacts`:
# `npx petstore-sandbox open FILE` shows it.
require 'fileutils'
require 'json'
require 'net/http'

# `url` and `key` are for the client under test.
class PetstoreSandbox
  attr_reader :url, :key
  attr_accessor :expected_invalid

  def initialize(**options)
    @url = ENV.fetch('SANDBOX_URL', 'http://127.0.0.1:4020/v1')
    issued = JSON.parse(control(:Post, '/keys', { ttlSeconds: 600, **options }))
    @url, @key, @id = issued.values_at('baseUrl', 'key', 'sandbox')
  end

  # Calls the control API: `control(:Post, '/reset')`, or `control(:Put, '/clock', { now: '2030-12-05T00:00:00Z' })`.
  def control(method, path, body = nil)
    uri = URI(url.sub(%r{/v1/?$}, '/_sandbox') + path)
    request = Net::HTTP.const_get(method).new(uri, 'Content-Type' => 'application/json')
    request['Authorization'] = "Bearer #{key}" if key
    request.body = JSON.generate(body) if body
    response = Net::HTTP.start(uri.host, uri.port, use_ssl: uri.scheme == 'https') { |http| http.request(request) }
    raise "#{method} #{path}: #{response.code} #{response.body}" unless response.is_a?(Net::HTTPSuccess)

    response.body.to_s.dup.force_encoding('UTF-8')
  end

  # Fails unless the client sent this: `verify(operation: 'createPet', status: 201, exactly: 1)`.
  def verify(**expected) = control(:Post, '/requests/verify', expected)

  def report(format)
    query = expected_invalid ? "expectedInvalid=#{expected_invalid}&" : ''
    control(:Get, "/report?#{query}format=#{format}")
  end

  def expect_contract_passed
    return if JSON.parse(report('json'))['verdict'] == 'pass'

    raise RSpec::Expectations::ExpectationNotMetError, report('text')
  end

  # Ends the sandbox. `exec` sets SANDBOX_REPORTS, and makes one verdict of the reports in it.
  def end
    reports = ENV['SANDBOX_REPORTS']
    File.write("#{reports}/#{@id}.json", report('json')) if reports
  ensure
    control(:Delete, '/')
  end

  def keep_recording(name)
    FileUtils.mkdir_p('artifacts')
    file = "artifacts/#{name.gsub(/[^\w.-]+/, '-')[0, 100]}.jsonl"
    File.write(file, control(:Get, '/export?format=recording'))
    warn "npx petstore-sandbox open #{file}"
  end
end

RSpec.shared_context 'petstore sandbox' do
  attr_reader :petstore_sandbox

  around do |example|
    fixture = example.metadata[:petstore_sandbox]
    options = fixture.is_a?(String) ? { fixture: fixture } : {}
    @petstore_sandbox = PetstoreSandbox.new(label: example.description[0, 100], **options)
    example.run
  ensure
    @petstore_sandbox&.end
  end

  after do |example|
    petstore_sandbox.expect_contract_passed unless example.exception
    passed = example.exception.nil?
  ensure
    petstore_sandbox.keep_recording(example.full_description) unless passed
  end
end

RSpec.configure { |config| config.include_context 'petstore sandbox', :petstore_sandbox }
