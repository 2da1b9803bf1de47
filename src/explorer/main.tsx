import { render } from 'preact'
import { App } from './app.js'
import './styles/base.css'
import './styles/around.css'
import './styles/frame.css'
import './styles/parts.css'
import './styles/survey.css'
import './styles/timeline.css'
import './styles/views.css'

const place = document.getElementById('explorer')
if (place !== null) render(<App />, place)
