;;; glossator.el --- Explains code, answers questions, checks conventions  -*- lexical-binding: t; -*-

;; Version: 0.1.0
;; Package-Requires: ((emacs "27.1"))
;; Keywords: languages, tools, convenience
;; SPDX-License-Identifier: MIT

;;; Commentary:

;; Glossator is a language server.  It explains the function at point, answers questions about the
;; workspace, and checks a team's written conventions on every save.
;;
;; Set it up for Eglot or for lsp-mode, in the init file:
;;
;;     (require 'glossator)
;;     (glossator-eglot-setup)        ; or (glossator-lsp-mode-setup)
;;
;; then M-x eglot or M-x lsp in a file as usual, and M-x glossator-explain.
;;
;; This file holds the commands and the buffer of answers.  `glossator-eglot' and
;; `glossator-lsp-mode' join them to the two clients, each by a few methods.

;;; Code:

(require 'button)
(require 'cl-lib)
(require 'json)
(require 'subr-x)
(require 'url-util)

(autoload 'glossator-eglot-setup "glossator-eglot" "Let Eglot use Glossator." t)
(autoload 'glossator-lsp-mode-setup "glossator-lsp-mode" "Let lsp-mode use Glossator." t)

;;;; Options

(defgroup glossator nil
  "Explains code, answers questions, checks conventions."
  :group 'tools
  :prefix "glossator-")

(defcustom glossator-command '("glossator" "lsp")
  "Program and arguments that start the server."
  :type '(repeat string))

(defcustom glossator-modes
  '(c-mode c-ts-mode c++-mode c++-ts-mode csharp-mode csharp-ts-mode go-mode go-ts-mode
    gfm-mode java-mode java-ts-mode js-mode js-ts-mode js2-mode markdown-mode php-mode php-ts-mode
    python-mode python-ts-mode ruby-mode ruby-ts-mode rust-mode rust-ts-mode sql-mode tsx-ts-mode
    typescript-mode typescript-ts-mode)
  "Major modes that Glossator is used in."
  :type '(repeat symbol))

(defcustom glossator-settings nil
  "Glossator's settings by group, as a property list.
For example (:check (:onSave :json-false) :model (:name \"qwen3\"))."
  :type 'plist)

(defcustom glossator-trusted nil
  "Whether the workspace is trusted.
Only then are its AGENTS.md, CLAUDE.md and the like followed, and may its .env
choose the model and where code is sent.  Nil (you are asked once), t, `never',
or a function that takes the root of the workspace and returns one of these."
  :type '(choice (const :tag "Ask" nil) (const :tag "Yes" t) (const :tag "No" never) function))

(defface glossator-status '((t :inherit font-lock-comment-face))
  "Face of what stands around an answer.")

(defface glossator-missing '((t :inherit error))
  "Face of the note on a place that does not exist.")

(defface glossator-moved '((t :inherit warning))
  "Face of the note on a place that has moved.")

;;;; What a client of the protocol provides

(defvar glossator-server-functions nil
  "Functions that return the Glossator server of the current buffer, or nil.")

(cl-defgeneric glossator-send (server params on-result on-error)
  "Send SERVER a request to execute a command, with PARAMS.
Call ON-RESULT with a property list or ON-ERROR with a text.")

(cl-defgeneric glossator-notify (server method params)
  "Send SERVER the notification METHOD with PARAMS.")

(cl-defgeneric glossator-roots (server)
  "Return the folders SERVER works in.")

(cl-defgeneric glossator-encoding (_server)
  "Return the unit in which SERVER counts characters of a line."
  "utf-16")

(defun glossator-initialization-options (root)
  "Return the initialization options for a workspace with ROOT."
  (let ((trusted (if (functionp glossator-trusted)
                     (funcall glossator-trusted root)
                   glossator-trusted)))
    `( :settings ,(or glossator-settings (make-hash-table))
       ,@(and trusted (list :workspaceTrusted (if (eq trusted 'never) :json-false t)))
       :clientShowsAnswers t)))

(defun glossator-explain-missing-command ()
  "Return nil when the server's command can be run, else what to do."
  (unless (executable-find (car glossator-command))
    (format "The command `%s' was not found.  Install the server (`pip install .' in a copy of \
Glossator) or set `glossator-command' to where it is" (car glossator-command))))

(defun glossator--server ()
  "Return the server of this buffer, or say what is wrong."
  (or (run-hook-with-args-until-success 'glossator-server-functions)
      (user-error "%s" (or (glossator-explain-missing-command)
                           "Glossator is not running here: start it with M-x eglot or M-x lsp"))))

;;;; Answers

(cl-defstruct (glossator-answer (:constructor glossator--make-answer))
  "An answer while it arrives and when it is complete.
PIECES are texts and tools, the last one first."
  title server token (status "Starting") over (briefing "") pieces tools citations foot
  (summary "") (started (float-time)))

(cl-defstruct (glossator-tool (:constructor glossator--make-tool))
  "A tool call of the model; OUTCOME is nil while it runs."
  name arguments outcome is-error)

(defun glossator--say (answer english chinese)
  "Return ENGLISH or CHINESE, as the title of ANSWER is."
  (if (string-match-p "[\u4e00-\u9fff]" (glossator-answer-title answer)) chinese english))

(defvar glossator--runs (make-hash-table :test 'equal)
  "Answers that are arriving, by the token of their events.")

(defvar glossator--answer nil
  "The answer that is shown.")

(defvar glossator--session-id nil
  "The conversation that questions belong to.")

(defvar glossator--n-runs 0)

(defun glossator--one-line (text limit)
  "Return TEXT on one line of at most LIMIT columns."
  (truncate-string-to-width
   (string-trim (replace-regexp-in-string "[ \t\r\n]+" " " text)) limit nil nil "…"))

(defun glossator--brief-arguments (text)
  "Return the values in TEXT, a JSON object, on one line."
  (let* ((values (condition-case nil
                     (json-parse-string text :object-type 'alist)
                   (error nil)))
         (shown (cl-loop for (_ . value) in values
                         when (or (numberp value) (and (stringp value) (not (equal value ""))))
                         collect (format "%s" value))))
    (glossator--one-line (if shown (string-join shown " ") text) 60)))

(defun glossator-handle-progress (token value)
  "Take VALUE, an event of the answer with TOKEN; nil when there is no such answer."
  (when-let ((answer (gethash token glossator--runs)))
    (glossator--take-event answer value)
    (glossator--draw-soon answer)
    t))

(defun glossator--add-tool (answer id name arguments)
  "Show in ANSWER that the call ID of NAME with ARGUMENTS runs."
  (let ((tool (glossator--make-tool :name name :arguments arguments)))
    (push (cons id tool) (glossator-answer-tools answer))
    (push tool (glossator-answer-pieces answer))
    (setf (glossator-answer-status answer) name)))

(defun glossator--take-event (answer event)
  "Change ANSWER as EVENT says.  Unknown events are passed over."
  (pcase (plist-get event :type)
    ("stepStarted"
     (setf (glossator-answer-status answer) (plist-get event :text)))
    ("briefingReady"
     (setf (glossator-answer-briefing answer) (plist-get event :markdown)))
    ("roundStarted"
     (setf (glossator-answer-status answer)
           (glossator--say answer "Waiting for the model" "等待模型")))
    ("waitingForModel"
     (setf (glossator-answer-status answer)
           (format (glossator--say answer "The model asks to wait %d s" "模型要求等待 %d 秒")
                   (plist-get event :seconds))))
    ("reasoningArrived"
     (setf (glossator-answer-status answer)
           (glossator--say answer "The model is thinking" "模型在思考")))
    ("textArrived"
     (setf (glossator-answer-status answer) (glossator--say answer "Answering" "正在回答"))
     (if (stringp (car (glossator-answer-pieces answer)))
         (setf (car (glossator-answer-pieces answer))
               (concat (car (glossator-answer-pieces answer)) (plist-get event :text)))
       (push (plist-get event :text) (glossator-answer-pieces answer))))
    ("toolStarted"
     ;; The plan and the helpers have events of their own.
     (unless (member (plist-get event :name) '("plan" "delegate"))
       (glossator--add-tool answer (plist-get event :callId) (plist-get event :name)
                            (glossator--brief-arguments (plist-get event :arguments)))))
    ("toolFinished"
     (when-let ((tool (cdr (assoc (plist-get event :callId) (glossator-answer-tools answer)))))
       (setf (glossator-tool-outcome tool) (glossator--one-line (plist-get event :summary) 80)
             (glossator-tool-is-error tool) (eq t (plist-get event :isError)))))
    ("skillActivated"
     (setf (glossator-answer-status answer)
           (format (glossator--say answer "Skill %s" "技能 %s") (plist-get event :name))))
    ("planChanged"
     (let ((steps (append (plist-get event :steps) nil)))
       (cl-loop for step in steps for number from 1
                when (equal (plist-get step :state) "active")
                do (setf (glossator-answer-status answer)
                         (format (glossator--say answer "Step %d of %d: %s"
                                                 "第 %d 步，共 %d 步：%s")
                                 number (length steps) (plist-get step :text))))))
    ("helperStarted"
     (glossator--add-tool answer (plist-get event :helperId) (plist-get event :helperId)
                          (glossator--one-line (plist-get event :task) 60)))
    ("helperActed"
     (let ((inner (plist-get event :event)))
       (when (equal (plist-get inner :type) "toolStarted")
         (setf (glossator-answer-status answer)
               (concat (plist-get event :helperId) ": " (plist-get inner :name))))))
    ("helperEnded"
     (when-let ((tool (cdr (assoc (plist-get event :helperId) (glossator-answer-tools answer)))))
       (setf (glossator-tool-outcome tool) (plist-get event :stopReason)
             (glossator-tool-is-error tool)
             (and (member (plist-get event :stopReason) '("failed" "cancelled")) t))))
    ("answerVerified"
     (setf (glossator-answer-status answer)
           (glossator--say answer "Reading the citations again" "核对引用")))))

(defun glossator--without-pictures (markdown)
  "Return MARKDOWN without the source of pictures."
  (string-trim (replace-regexp-in-string
                "^[ \t]*```mermaid\\(?:.\\|\n\\)*?\n[ \t]*```[ \t]*$" "" markdown)))

(defun glossator--list-sources (title sources markdown)
  "Return a list with TITLE of those SOURCES that MARKDOWN does not name, or nil."
  (let ((lines (cl-loop for source across (or sources [])
                        for place = (format "%s:%d" (plist-get source :path)
                                            (plist-get source :firstLine))
                        unless (string-search place markdown)
                        collect (format "- %s `%s`" (plist-get source :title) place))))
    (when lines
      (concat "**" title "**\n\n" (string-join lines "\n")))))

(defun glossator--complete (answer result)
  "Let ANSWER be complete with RESULT."
  (let* ((markdown (or (plist-get result :markdown) ""))
         (calls (cl-remove-if-not #'glossator-tool-p (glossator-answer-pieces answer)))
         (notice (plist-get result :notice))
         (usage (plist-get result :usage)))
    (setf (glossator-answer-over answer) t
          (glossator-answer-title answer)
          (or (plist-get result :title) (glossator-answer-title answer))
          (glossator-answer-citations answer) (append (plist-get result :citations) nil)
          (glossator-answer-pieces answer)
          (append calls (and calls (list (glossator--say answer "**Looked at**" "**查看过**")))
                  (list (glossator--without-pictures markdown)))
          (glossator-answer-foot answer)
          (delq nil
                (list (glossator--list-sources
                       (glossator--say answer "Nearest" "最接近的内容")
                       (plist-get (plist-get result :refused) :nearest) markdown)
                      (glossator--list-sources (glossator--say answer "Sources" "来源")
                                               (plist-get result :sources) markdown)
                      (glossator--list-doubtful
                       (append (plist-get result :citations) nil) markdown)
                      (and notice (not (equal notice "")) (concat "> " notice))))
          (glossator-answer-summary answer)
          (string-join
           (delq nil
                 (list (and (eq t (plist-get result :byModel))
                            (glossator--say answer "by the model" "由模型回答"))
                       (and usage (format "%d + %d tokens" (plist-get usage :promptTokens)
                                          (plist-get usage :completionTokens)))
                       (and usage (> (or (plist-get usage :cachedTokens) 0) 0)
                            (format (glossator--say answer "%d cached" "缓存 %d")
                                    (plist-get usage :cachedTokens)))
                       (glossator--count-places answer)
                       (format "%.1f s" (- (float-time) (glossator-answer-started answer)))))
           " · "))))

(defun glossator--count-places (answer)
  "Return how many places ANSWER names, each once, and what came of them, or nil."
  (let* ((places (delete-dups
                  (mapcar (lambda (each)
                            (mapcar (lambda (key) (plist-get each key))
                                    '(:verdict :path :firstLine :lastLine)))
                          (glossator-answer-citations answer))))
         (count (lambda (verdict) (cl-count verdict places :key #'car :test #'equal))))
    (when places
      (format (glossator--say answer "%d places checked: %d exact, %d moved, %d missing"
                              "核对了 %d 处引用：%d 处准确，%d 处已移动，%d 处缺失")
              (length places) (funcall count "exact") (funcall count "moved")
              (funcall count "missing")))))

(defun glossator--list-doubtful (citations markdown)
  "Return a list of the CITATIONS that do not hold and are not in MARKDOWN."
  (let ((lines (cl-loop for citation in citations
                        for text = (plist-get citation :text)
                        unless (or (equal (plist-get citation :verdict) "exact")
                                   (string-search text markdown))
                        collect (concat "- " text))))
    (and lines (string-join lines "\n"))))

(defun glossator--render-tool (tool)
  "Return the line for TOOL."
  (concat "- " (cond ((null (glossator-tool-outcome tool)) "…")
                     ((glossator-tool-is-error tool) "✗")
                     (t "✓"))
          " `" (glossator-tool-name tool) "` " (glossator-tool-arguments tool)
          (and (glossator-tool-outcome tool) (concat " — " (glossator-tool-outcome tool)))))

(defun glossator--render (answer)
  "Return ANSWER as Markdown."
  (let* ((pieces (reverse (glossator-answer-pieces answer)))
         (text (string-join
                (cl-loop for (piece . more) on pieces
                         for is-tool = (glossator-tool-p piece)
                         collect (if is-tool (glossator--render-tool piece) (string-trim piece))
                         when more
                         collect (if (and is-tool (glossator-tool-p (car more))) "\n" "\n\n"))))
         ;; The facts are there long before a slow model's first word.
         (briefing (and (not (cl-some #'stringp pieces))
                        (not (string-empty-p (glossator-answer-briefing answer)))
                        (glossator--without-pictures (glossator-answer-briefing answer)))))
    (string-join (cl-remove-if #'string-empty-p
                               `(,(or briefing "") ,text ,@(glossator-answer-foot answer)))
                 "\n\n")))

;;;; The buffer

(defvar glossator-answer-mode-map
  (let ((map (make-sparse-keymap)))
    (set-keymap-parent map (make-composed-keymap button-buffer-map special-mode-map))
    (define-key map "a" #'glossator-ask)
    (define-key map "s" #'glossator-stop)
    (define-key map (kbd "C-c C-c") #'glossator-stop)
    map))

(defvar glossator-answer-font-lock-keywords
  '(("^#+ .*$" . 'font-lock-function-name-face)
    ("^>.*$" . 'font-lock-comment-face)
    ("\\*\\*[^*\n]+\\*\\*" . 'bold)
    ("`[^`\n]+`" . 'font-lock-constant-face)
    ("^\\(?:-\\|[0-9]+\\.\\) " . 'font-lock-keyword-face)))

(define-derived-mode glossator-answer-mode special-mode "Glossator"
  "Major mode of the buffer with Glossator's answer.
\\{glossator-answer-mode-map}"
  (setq-local font-lock-defaults '(glossator-answer-font-lock-keywords t))
  (setq-local truncate-lines nil)
  (setq-local revert-buffer-function (lambda (&rest _) (glossator--draw)))
  (setq-local header-line-format '(:eval (glossator--header)))
  (visual-line-mode 1))

(defun glossator--header ()
  "Return what stands above the answer."
  (when-let ((answer glossator--answer))
    (concat " " (propertize (string-replace "`" "" (glossator-answer-title answer)) 'face 'bold)
            (propertize
             (if (glossator-answer-over answer)
                 (format "  %s  TAB next place  RET open  a ask  q close"
                         (glossator-answer-summary answer))
               (format "  %s…  s stop  q close" (glossator-answer-status answer)))
             'face 'glossator-status))))

(defconst glossator--place-regexp
  "\\([^][ \t\n`'\"()<>|,;:，。；：（）、“”]+\\):\\([0-9]+\\)"
  "Matches `path:line', also in Chinese prose, which has no space before a path.")

(defun glossator--find-file (path roots)
  "Return the existing file below one of ROOTS that PATH ends with.
Its value is (FILE . N): N characters of PATH stand before the file."
  (let ((start 0) found)
    (while (and (not found) (< start (length path)))
      (let ((rest (substring path start)))
        (setq found
              (cl-loop for root in roots
                       for file = (expand-file-name rest root)
                       when (file-regular-p file) return (cons file start)))
        ;; Only letters that stand right before a path in Chinese prose are passed over.
        (if (< (aref path start) 128)
            (setq start (length path))
          (setq start (1+ start)))))
    found))

(defun glossator--open-place (button)
  "Open the place of BUTTON beside the answer."
  (let ((file (button-get button 'glossator-file))
        (line (button-get button 'glossator-line)))
    (if (not (and file (file-regular-p file)))
        (message "Glossator: that place does not exist")
      (pop-to-buffer (find-file-noselect file))
      (push-mark nil t)
      (save-restriction
        (widen)
        (goto-char (point-min))
        (forward-line (1- line)))
      (recenter))))

(define-button-type 'glossator-place
  'action #'glossator--open-place
  'follow-link t
  'help-echo "RET: open this place")

(defun glossator--add-buttons (answer)
  "Make the places that ANSWER names clickable and mark the wrong ones."
  (let ((verdicts (make-hash-table :test 'equal))
        (roots (ignore-errors (glossator-roots (glossator-answer-server answer)))))
    (dolist (citation (glossator-answer-citations answer))
      (puthash (plist-get citation :text) citation verdicts))
    (goto-char (point-min))
    (while (re-search-forward glossator--place-regexp nil t)
      (let* ((path (match-string-no-properties 1))
             (line (string-to-number (match-string 2)))
             (first (match-beginning 0))
             (last (match-end 0))
             (citation (glossator--citation-at first verdicts))
             (uri (plist-get citation :uri))
             (found (if uri
                        (cons (glossator--uri-to-file uri) 0)
                      (glossator--find-file path roots))))
        (when found
          (make-text-button (+ first (cdr found)) last 'type 'glossator-place
                            'glossator-file (car found)
                            'glossator-line (or (plist-get citation :firstLine) line)))
        (glossator--add-note answer citation last)))))

(defun glossator--citation-at (position verdicts)
  "Return the citation in VERDICTS whose text stands at POSITION, the longest one."
  (let (found)
    (maphash (lambda (text citation)
               (when (and (> (length text) (length (plist-get found :text)))
                          (<= (+ position (length text)) (point-max))
                          (equal text (buffer-substring-no-properties
                                       position (+ position (length text)))))
                 (setq found citation)))
             verdicts)
    found))

(defun glossator--add-note (answer citation position)
  "Show at POSITION what is wrong with CITATION in ANSWER, if anything is."
  (when-let ((name (pcase (plist-get citation :verdict)
                     ("moved" (glossator--say answer "moved" "已移动"))
                     ("missing" (glossator--say answer "missing" "缺失")))))
    (let* ((overlay (make-overlay position position))
           (is-moved (equal (plist-get citation :verdict) "moved"))
           (reason (or (plist-get citation :reason) ""))
           (note (if (equal reason "") name (concat name ": " reason))))
      (overlay-put overlay 'after-string
                   (propertize (format " (%s)" note) 'face
                               (if is-moved 'glossator-moved 'glossator-missing))))))

(defun glossator--uri-to-file (uri)
  "Return the file of URI."
  (let ((path (decode-coding-string
               (url-unhex-string (string-remove-prefix "file://" uri)) 'utf-8)))
    (if (string-match-p "\\`/[A-Za-z]:" path) (substring path 1) path)))

(defun glossator--draw ()
  "Show the answer as it is now; windows keep their place in it."
  (when-let ((answer glossator--answer)
             (buffer (get-buffer "*glossator*")))
    (with-current-buffer buffer
      (let ((inhibit-read-only t)
            (text (concat (glossator--render answer) "\n"))
            (points (mapcar (lambda (window) (list window (window-point window)
                                                   (window-start window)))
                            (get-buffer-window-list buffer nil t)))
            (here (point)))
        (erase-buffer)
        (delete-all-overlays)
        (insert text)
        ;; Looking for files on every piece of text would be slow.
        (when (glossator-answer-over answer)
          (glossator--add-buttons answer))
        (goto-char (min here (point-max)))
        (pcase-dolist (`(,window ,point ,start) points)
          (set-window-point window (min point (point-max)))
          (set-window-start window (min start (point-max)) t)))
      (set-buffer-modified-p nil)
      (force-mode-line-update))))

(defvar glossator--timer nil)

(defun glossator--draw-soon (answer)
  "Draw ANSWER soon, if it is the one shown.
A model may send hundreds of pieces a second."
  (when (and (eq answer glossator--answer) (not glossator--timer))
    (setq glossator--timer (run-at-time 0.05 nil #'glossator--draw-now))))

(defun glossator--draw-now ()
  "Draw, and forget that it was planned."
  (when glossator--timer
    (cancel-timer glossator--timer)
    (setq glossator--timer nil))
  (glossator--draw))

(defun glossator--show (answer)
  "Show ANSWER in the buffer for it."
  (setq glossator--answer answer)
  (with-current-buffer (get-buffer-create "*glossator*")
    (unless (derived-mode-p 'glossator-answer-mode)
      (glossator-answer-mode))
    (glossator--draw-now)
    (goto-char (point-min))
    (display-buffer (current-buffer))))

;;;; Running commands

(defun glossator--execute (server command argument on-result on-error &optional answer)
  "Run COMMAND on SERVER with ARGUMENT; its events go to ANSWER, if there is one.
ON-RESULT gets a property list, ON-ERROR a text.  Return the token."
  (let ((token (format "glossator-%d-%d" (emacs-pid) (cl-incf glossator--n-runs))))
    (when answer
      (setf (glossator-answer-token answer) token)
      (puthash token answer glossator--runs)
      (setq argument (append argument (list :partialResultToken token))))
    (glossator-send server
                    (list :command command
                          :arguments (vector (or argument (make-hash-table)))
                          :workDoneToken (concat token "-work"))
                    (lambda (result)
                      (remhash token glossator--runs)
                      (funcall on-result result))
                    (lambda (text)
                      (remhash token glossator--runs)
                      (funcall on-error text)))
    token))

(defun glossator-show-command (server command argument title &optional on-result)
  "Show the answer of COMMAND with ARGUMENT on SERVER under TITLE.
ON-RESULT is called with the result."
  (glossator--stop-running)
  (let ((answer (glossator--make-answer :title title :server server)))
    (glossator--show answer)
    (glossator--execute
     server command argument
     (lambda (result)
       (unless (glossator-answer-over answer)
         (glossator--complete answer result)
         (when on-result (funcall on-result result))
         (when (eq answer glossator--answer) (glossator--draw-now))))
     (lambda (text)
       (unless (glossator-answer-over answer)
         (setf (glossator-answer-over answer) t
               (glossator-answer-foot answer)
               (list (concat (glossator--say answer "**Not answered:** " "**没有回答：**") text)))
         (when (eq answer glossator--answer) (glossator--draw-now))))
     answer)))

(defun glossator--stop-running ()
  "Stop the answer that is arriving; nil when there is none."
  (when (and glossator--answer (not (glossator-answer-over glossator--answer)))
    (let ((answer glossator--answer))
      (setf (glossator-answer-over answer) t
            (glossator-answer-foot answer)
            (list (glossator--say answer "**Stopped.**" "**已停止。**")))
      (remhash (glossator-answer-token answer) glossator--runs)
      ;; Cancelling by its progress needs no id of the request, which clients keep to themselves.
      (glossator-notify (glossator-answer-server answer) "window/workDoneProgress/cancel"
                        (list :token (concat (glossator-answer-token answer) "-work")))
      (glossator--draw-now)
      t)))

(defun glossator--position (encoding &optional position)
  "Return POSITION, or point, counted in units of ENCODING."
  (save-excursion
    (save-restriction
      (widen)
      (goto-char (or position (point)))
      (let ((before (buffer-substring-no-properties (line-beginning-position) (point))))
        (list :line (1- (line-number-at-pos nil t))
              :character
              (pcase encoding
                ("utf-8" (string-bytes (encode-coding-string before 'utf-8)))
                ("utf-32" (length before))
                (_ (/ (string-bytes (encode-coding-string before 'utf-16le)) 2))))))))

(defun glossator--file-to-uri (file)
  "Return the URI of FILE."
  (concat "file://" (and (string-match-p "\\`[A-Za-z]:" file) "/")
          (url-hexify-string file (cons ?/ (cons ?: url-unreserved-chars)))))

(defun glossator--target (server)
  "Return where point is, and what is selected, in the units of SERVER.
Return nil in a buffer without a file."
  (when buffer-file-name
    (let ((encoding (glossator-encoding server)))
      (append
       (list :uri (glossator--file-to-uri (file-truename buffer-file-name))
             :position (glossator--position encoding))
       (when (use-region-p)
         (list :range (list :start (glossator--position encoding (region-beginning))
                            :end (glossator--position encoding (region-end)))))))))

;;;; Commands

;;;###autoload
(defun glossator-explain ()
  "Explain the function at point, or what is selected."
  (interactive)
  (let ((server (glossator--server)))
    (glossator-show-command server "glossator.explain"
                            (or (glossator--target server) (user-error "There is no file here"))
                            "Explain")))

;;;###autoload
(defun glossator-call-chain (&optional depth)
  "Show who calls the function at point and what it calls.
DEPTH, the prefix argument, is how far."
  (interactive "P")
  (let ((server (glossator--server)))
    (glossator-show-command server "glossator.callChain"
                            (append (or (glossator--target server)
                                        (user-error "There is no file here"))
                                    (and depth (list :depth (prefix-numeric-value depth))))
                            "Call chain")))

;;;###autoload
(defun glossator-ask (question)
  "Ask QUESTION about the workspace.
Questions follow one another in a conversation."
  (interactive "sAsk Glossator: ")
  (let ((server (or (and (derived-mode-p 'glossator-answer-mode) glossator--answer
                         (glossator-answer-server glossator--answer))
                    (glossator--server))))
    (glossator-show-command server "glossator.ask"
                            (append (list :question question)
                                    (and glossator--session-id
                                         (list :sessionId glossator--session-id))
                                    (glossator--target server))
                            question
                            (lambda (result)
                              (setq glossator--session-id (plist-get result :sessionId))))))

(defun glossator--analyze (argument title)
  "Run an analysis with ARGUMENT under TITLE, as a part of the conversation."
  (glossator-show-command (glossator--server) "glossator.analyze"
                          (append argument
                                  (and glossator--session-id
                                       (list :sessionId glossator--session-id)))
                          title
                          (lambda (result)
                            (setq glossator--session-id (plist-get result :sessionId)))))

;;;###autoload
(defun glossator-explain-package (folder)
  "Explain what is in FOLDER and how it works together."
  (interactive "DExplain folder: ")
  (glossator--analyze (list :task "package"
                            :path (directory-file-name (expand-file-name folder)))
                      (concat "Explain " (abbreviate-file-name folder))))

;;;###autoload
(defun glossator-review-changes (&optional revision)
  "Review what changed since the last commit.
With a prefix argument, since REVISION."
  (interactive (list (and current-prefix-arg (read-string "Review changes since: "))))
  (glossator--analyze (append (list :task "change") (and revision (list :revision revision)))
                      "Review changes"))

(defun glossator-stop ()
  "Stop the answer that is arriving."
  (interactive)
  (unless (glossator--stop-running)
    (message "Glossator: nothing is running")))

(defun glossator--execute-and (command argument show)
  "Run COMMAND with ARGUMENT and call SHOW with its result and the server."
  (let ((server (glossator--server)))
    (glossator--execute server command argument
                        (lambda (result) (funcall show result server))
                        (lambda (text) (message "Glossator: %s" text)))))

(defun glossator-new-session ()
  "Begin a new conversation."
  (interactive)
  (glossator--execute-and "glossator.newSession" nil
                          (lambda (result _server)
                            (setq glossator--session-id (plist-get result :sessionId))
                            (message "Glossator: a new conversation begins"))))

;;;###autoload
(defun glossator-check (&optional all)
  "Check this file's conventions.
With a prefix argument ALL, check those of every open file."
  (interactive "P")
  (glossator--execute-and
   "glossator.check"
   (unless all
     (list :uri (glossator--file-to-uri (file-truename (or buffer-file-name
                                                           (user-error "There is no file here"))))))
   (lambda (result _server)
     (message "Glossator: %s"
              (string-join (mapcar #'glossator--describe-check (plist-get result :documents))
                           "; ")))))

(defun glossator--describe-check (document)
  "Say what the check of DOCUMENT found."
  (pcase (plist-get document :outcome)
    ("clean" (format "%s is clean (%d rules)" (plist-get document :path)
                     (plist-get document :nRules)))
    ("findings" (format "%d finding(s) in %s" (plist-get document :nFindings)
                        (plist-get document :path)))
    (_ (format "%s was not checked: %s" (plist-get document :path)
               (plist-get document :reason)))))

(defun glossator--describe-rules (document)
  "Say what the check of DOCUMENT found, and which rules that rests on."
  (concat
   (glossator--describe-check document)
   (format "; %d rule(s) checked, %d judged" (plist-get document :nRules)
           (plist-get document :nJudged))
   (mapconcat (lambda (skipped)
                (format ", %d left out: %s" (length (plist-get skipped :ruleIds))
                        (plist-get skipped :reason)))
              (plist-get document :skipped) "")))

(defun glossator-rebuild-index ()
  "Read knowledge, skills and rules again."
  (interactive)
  (glossator--execute-and
   "glossator.rebuildIndex" nil
   (lambda (result _server)
     (message "Glossator: read again: %d documents, %d skills, %d rules, %d problem(s)"
              (plist-get result :nDocuments) (plist-get result :nSkills)
              (plist-get result :nRules) (length (plist-get result :problems))))))

;;;###autoload
(defun glossator-trust (&optional no-longer)
  "Trust this workspace from now on; with a prefix argument, NO-LONGER."
  (interactive "P")
  (glossator--execute-and
   "glossator.trustWorkspace" (list :trusted (if no-longer :json-false t))
   (lambda (result _server)
     (message "Glossator: this workspace is %s. %s"
              (if (equal (plist-get result :trust) "trusted") "trusted" "not trusted")
              (plist-get result :message)))))

(defun glossator--show-text (title markdown server)
  "Show MARKDOWN of SERVER under TITLE in the buffer of answers."
  (let ((answer (glossator--make-answer :title title :server server)))
    (glossator--stop-running)
    (glossator--complete answer (list :markdown markdown))
    (setf (glossator-answer-summary answer) "")
    (glossator--show answer)))

;;;###autoload
(defun glossator-why (&optional question)
  "Say what is used for this file, what is not, and why.
With a prefix argument, say exactly what a model would be given for QUESTION."
  (interactive (list (and current-prefix-arg (read-string "What would be asked: "))))
  (glossator--execute-and
   "glossator.why"
   (append (and buffer-file-name
                (list :uri (glossator--file-to-uri (file-truename buffer-file-name))))
           (list :question (or question "")))
   (lambda (result server)
     (glossator--show-text (plist-get result :title) (plist-get result :markdown) server))))

;;;###autoload
(defun glossator-status ()
  "Show server, model, knowledge, workspace and problems."
  (interactive)
  (glossator--execute-and
   "glossator.status"
   (when buffer-file-name
     (list :uri (glossator--file-to-uri (file-truename buffer-file-name))))
   (lambda (status server)
     (glossator--show-text "Glossator" (glossator--describe-status status) server))))

(defun glossator--describe-age (at)
  "Say how long ago AT was, in milliseconds since 1970."
  (if (not (numberp at))
      ""
    (let ((minutes (floor (- (float-time) (/ at 1000.0)) 60)))
      (cond ((< minutes 1) "; updated just now")
            ((< minutes 60) (format "; updated %d min ago" minutes))
            (t (format-time-string "; updated at %H:%M" (seconds-to-time (/ at 1000.0))))))))

(defun glossator--describe-status (status)
  "Return STATUS as Markdown."
  (let ((model (plist-get status :model))
        (index (plist-get status :index))
        (workspace (plist-get status :workspace))
        (problems (append (plist-get status :problems) nil))
        (checks (and (= 1 (length (plist-get status :checks))) (plist-get status :checks))))
    (concat
     (and checks (format "- **Check** %s\n" (glossator--describe-rules (aref checks 0))))
     (format "- **Server** %s\n" (plist-get status :version))
     (if (eq t (plist-get model :configured))
         (format "- **Model** `%s` at %s (from %s)\n" (plist-get model :name)
                 (plist-get model :endpoint) (plist-get model :source))
       (format "- **Model** none. %s\n" (plist-get model :message)))
     (if (eq t (plist-get index :ready))
         (format "- **Knowledge** %d documents (%d sections), %d skills, %d rules%s\n"
                 (plist-get index :nDocuments) (plist-get index :nSections)
                 (plist-get index :nSkills) (plist-get index :nRules)
                 (glossator--describe-age (plist-get index :updatedAt)))
       "- **Knowledge** being read\n")
     (format "- **Workspace** %s (%s)\n" (string-join (plist-get workspace :roots) ", ")
             (if (eq t (plist-get workspace :trusted)) "trusted" "not trusted"))
     (and problems
          (concat "\n**Problems**\n\n"
                  (mapconcat (lambda (problem) (concat "- " problem)) problems "\n"))))))

(provide 'glossator)
;;; glossator.el ends here
